// The API key of the user. It is stored until the tab is closed, and sent only to this server.

const KEY = "deckd.key";
const find = (id) => document.getElementById(id);

/** The key; null: none was asked for. */
export const knownKey = () => sessionStorage.getItem(KEY);

/** Asks for a key, and says why the one before was not good. */
export function askForKey(reason = knownKey() ? "This key does not open the server." : "") {
  find("gate-problem").textContent = reason;
  if (!find("gate").open) find("gate").showModal();
}

/** Has a function called with each key that is given. */
export function onKey(use) {
  find("gate").addEventListener("cancel", (event) => event.preventDefault());
  find("gate").addEventListener("submit", (event) => {
    const key = find("key").value.trim();
    // A browser does not send others.
    if (/^[\x21-\x7e]+$/.test(key)) return sessionStorage.setItem(KEY, key);
    event.preventDefault();
    askForKey("This is no key: it has characters that no key has.");
  });
  find("gate").addEventListener("close", () => {
    find("key").value = "";
    use(knownKey());
  });
}
