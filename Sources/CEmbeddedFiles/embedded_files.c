/* The files that deckd serves, in the program, so that no file must be installed beside it. */

#include "embedded_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_yaml[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char openapi_json[] = {
#embed "../../docs/openapi.json"
};
static const unsigned char deckd_js[] = {
#embed "../DeckService/Web/Built/deckd.js"
};
static const unsigned char deckd_js_gz[] = {
#embed "../DeckService/Web/Built/deckd.js.gz"
};
static const unsigned char engine_wasm[] = {
#embed "../DeckService/Web/Built/engine.wasm"
};
static const unsigned char engine_wasm_gz[] = {
#embed "../DeckService/Web/Built/engine.wasm.gz"
};
static const unsigned char deckd_d_ts[] = {
#embed "../DeckService/Web/Client/deckd.d.ts"
};
static const unsigned char swipe_deck_js[] = {
#embed "../DeckService/Web/swipe-deck.js"
};
static const unsigned char swipe_deck_d_ts[] = {
#embed "../DeckService/Web/swipe-deck.d.ts"
};
static const unsigned char base_css[] = {
#embed "../DeckService/Web/base.css"
};
static const unsigned char gate_js[] = {
#embed "../DeckService/Web/gate.js"
};
static const unsigned char json_js[] = {
#embed "../DeckService/Web/json.js"
};
static const unsigned char index_html[] = {
#embed "../DeckService/Web/index.html"
};
static const unsigned char demo_js[] = {
#embed "../DeckService/Web/demo.js"
};
static const unsigned char demo_cards_js[] = {
#embed "../DeckService/Web/demo-cards.js"
};
static const unsigned char demo_css[] = {
#embed "../DeckService/Web/demo.css"
};
static const unsigned char inspect_html[] = {
#embed "../DeckService/Web/inspect.html"
};
static const unsigned char inspect_js[] = {
#embed "../DeckService/Web/inspect.js"
};
static const unsigned char inspect_client_js[] = {
#embed "../DeckService/Web/inspect-client.js"
};
static const unsigned char inspect_dom_js[] = {
#embed "../DeckService/Web/inspect-dom.js"
};
static const unsigned char inspect_lists_js[] = {
#embed "../DeckService/Web/inspect-lists.js"
};
static const unsigned char inspect_session_js[] = {
#embed "../DeckService/Web/inspect-session.js"
};
static const unsigned char inspect_events_js[] = {
#embed "../DeckService/Web/inspect-events.js"
};
static const unsigned char inspect_verdicts_js[] = {
#embed "../DeckService/Web/inspect-verdicts.js"
};
static const unsigned char inspect_card_js[] = {
#embed "../DeckService/Web/inspect-card.js"
};
static const unsigned char inspect_deck_js[] = {
#embed "../DeckService/Web/inspect-deck.js"
};
static const unsigned char inspect_log_js[] = {
#embed "../DeckService/Web/inspect-log.js"
};
static const unsigned char inspect_drawing_js[] = {
#embed "../DeckService/Web/inspect-drawing.js"
};
static const unsigned char inspect_charts_js[] = {
#embed "../DeckService/Web/inspect-charts.js"
};
static const unsigned char inspect_css[] = {
#embed "../DeckService/Web/inspect.css"
};

#define FILE(name, bytes) { name, bytes, sizeof bytes }

static const struct embedded_file files[] = {
  FILE ("openapi.yaml", openapi_yaml),
  FILE ("openapi.json", openapi_json),
  FILE ("deckd.js", deckd_js),
  FILE ("deckd.js.gz", deckd_js_gz),
  FILE ("engine.wasm", engine_wasm),
  FILE ("engine.wasm.gz", engine_wasm_gz),
  FILE ("deckd.d.ts", deckd_d_ts),
  FILE ("swipe-deck.js", swipe_deck_js),
  FILE ("swipe-deck.d.ts", swipe_deck_d_ts),
  FILE ("base.css", base_css),
  FILE ("gate.js", gate_js),
  FILE ("json.js", json_js),
  FILE ("index.html", index_html),
  FILE ("demo.js", demo_js),
  FILE ("demo-cards.js", demo_cards_js),
  FILE ("demo.css", demo_css),
  FILE ("inspect.html", inspect_html),
  FILE ("inspect.js", inspect_js),
  FILE ("inspect-client.js", inspect_client_js),
  FILE ("inspect-dom.js", inspect_dom_js),
  FILE ("inspect-lists.js", inspect_lists_js),
  FILE ("inspect-session.js", inspect_session_js),
  FILE ("inspect-events.js", inspect_events_js),
  FILE ("inspect-verdicts.js", inspect_verdicts_js),
  FILE ("inspect-card.js", inspect_card_js),
  FILE ("inspect-deck.js", inspect_deck_js),
  FILE ("inspect-log.js", inspect_log_js),
  FILE ("inspect-drawing.js", inspect_drawing_js),
  FILE ("inspect-charts.js", inspect_charts_js),
  FILE ("inspect.css", inspect_css),
};

const size_t embedded_file_count = sizeof files / sizeof files[0];

const struct embedded_file *embedded_files (void)
{
  return files;
}
