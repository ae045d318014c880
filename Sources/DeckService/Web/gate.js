// The API key of the user. It is stored until the tab is closed, and sent only to this server.

const KEY = "deckd.key";
const find = (id) => document.getElementById(id);

/** The key; null: none was asked for. */
export const knownKey = () => sessionStorage.getItem(KEY);

/** Asks for a key, and says why the one before was not good. */
export function askForKey() {
  find("gate-problem").textContent = knownKey() ? "This key does not open the server." : "";
  if (!find("gate").open) find("gate").showModal();
}

/** Has a function called with each key that is given. */
export function onKey(use) {
  find("gate").addEventListener("cancel", (event) => event.preventDefault());
  find("gate").addEventListener("close", () => {
    sessionStorage.setItem(KEY, find("key").value);
    find("key").value = "";
    use(knownKey());
  });
}
