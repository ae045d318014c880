"""Sends requests, and holds each answer against docs/openapi.yaml."""

import json
import os
import pathlib
import re
from collections import Counter

import requests
import schemathesis
import yaml
from schemathesis.core.failures import Failure, FailureGroup

# What any answer may have beside the fields that the document lists with it: what HTTP has it have, and what the
# document's introduction says of the request's name and of scripts of other origins.
EVERYWHERE = {"date", "connection", "keep-alive", "content-length", "content-type", "transfer-encoding", "x-request-id"}
# What the introduction says of answers about a session.
ABOUT_SESSIONS = {"ratelimit", "ratelimit-policy"}
CROSS_ORIGIN = {"vary", "access-control-allow-origin", "access-control-expose-headers"}
# One for each reason to be refused (RFC 6750, 3).
CHALLENGES = {
    "/problems/unauthorized": 'Bearer realm="deckd"',
    "/problems/invalid-token": 'Bearer realm="deckd", error="invalid_token"',
    "/problems/key-expired": 'Bearer realm="deckd", error="invalid_token"',
    "/problems/insufficient-scope": 'Bearer realm="deckd", error="insufficient_scope"',
    "/problems/forbidden": 'Bearer realm="deckd", error="insufficient_scope"',
    "/problems/not-a-players-event": 'Bearer realm="deckd", error="insufficient_scope"',
}
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "openapi.yaml"


class Asker:
    """Asks, counts the answers, and remembers what was wrong with them."""

    def __init__(self, base, has_origins=False):
        self.base = base
        self.has_origins = has_origins
        self.session = requests.Session()
        self.answers = Counter()
        self.failures = []
        self.document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
        # Without schemathesis.toml, which leaves an operation out.
        schema = schemathesis.openapi.from_path(DOCUMENT, config=schemathesis.Config())
        schema.config.update(base_url=base)
        self.operations = {}
        for result in schema.get_all_operations():
            operation = result.ok()
            self.operations[operation.definition.raw["operationId"]] = operation

    def ask(self, name, path, status, body=None, **options):
        operation = self.operations[name]
        if body is not None:
            options["data"] = body if isinstance(body, (str, bytes)) else json.dumps(body)
            headers = {"Content-Type": "application/json"}
            options["headers"] = headers | options.get("headers", {})
        method = operation.method.upper()
        answer = self.session.request(method, self.base + path, timeout=20, stream=True, **options)
        if answer.status_code != status and name == "streamFrames":
            # What is not refused has no end.
            answer.close()
            self.failures.append(f"{name}: {answer.status_code} in place of {status}")
        elif answer.status_code != status:
            self.failures.append(f"{name}: {answer.status_code} in place of {status}: {answer.text[:500]}")
        elif f"{status}" not in operation.definition.raw["responses"]:
            self.failures.append(f"{name}: the document has no {status}")
        else:
            self.check(operation, answer)
        return answer

    def check(self, operation, answer):
        name = operation.definition.raw["operationId"]
        if "X-Request-Id" not in answer.headers:
            self.failures.append(f"{name} {answer.status_code}: the request has no name")
        try:
            operation.validate_response(answer)
            self.answers[f"{name} {answer.status_code}"] += 1
        except (Failure, FailureGroup) as failure:
            self.failures.append(f"{name} {answer.status_code}: {failure}")
        described = self.resolve(operation.definition.raw["responses"][f"{answer.status_code}"])
        listed = {field.lower() for field in described.get("headers", {})}
        known = listed | EVERYWHERE | (CROSS_ORIGIN if self.has_origins else set())
        if operation.path.startswith("/v1/sessions/{id}"):
            known |= ABOUT_SESSIONS
        if answer.headers.get("Content-Type") == "application/problem+json":
            known.add("cache-control")
            if answer.headers.get("Cache-Control") != "no-store":
                self.failures.append(f"{name} {answer.status_code}: the problem may be kept")
        for field in sorted({field.lower() for field in answer.headers} - known):
            self.failures.append(f"{name} {answer.status_code}: the document has no {field} there")
        if answer.status_code in (401, 403):
            challenge = answer.headers.get("WWW-Authenticate")
            if challenge != CHALLENGES.get(answer.json()["type"]):
                self.failures.append(f"{name} {answer.status_code}: {challenge} for {answer.text}")
        for field, header in described.get("headers", {}).items():
            header = self.resolve(header)
            schema, value = self.resolve(header["schema"]), answer.headers.get(field)
            if value is None:
                fits = not header.get("required", False)
            else:
                fits = schema.get("const", value) == value and re.search(schema.get("pattern", ""), value)
            if not fits:
                self.failures.append(f"{name} {answer.status_code}: {field}: {value}")

    def resolve(self, node):
        while "$ref" in node:
            place = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            node = place
        return node

    def ask_for_problem(self, name, path, status, kind, body=None, **options):
        """Sends a request that must be refused for this reason."""
        answer = self.ask(name, path, status, body, **options)
        if answer.status_code == status and answer.json()["type"] != f"/problems/{kind}":
            self.failures.append(f"{name}: {answer.text[:500]} in place of {kind}")
        return answer

    def finish(self):
        """Writes down what was answered how often, and says how it went."""
        path = os.environ.get("DECKD_CONTRACT_ANSWERS")
        if path:
            pathlib.Path(path).write_text(json.dumps(self.answers, indent=2, sort_keys=True), encoding="utf-8")
        if self.failures:
            raise SystemExit("\n".join(self.failures))
        print(f"{self.answers.total()} answers to {len(self.operations)} operations are as the document says")
