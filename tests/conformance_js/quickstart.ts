// The quick start of docs/HTTP.md, by a client that was generated from docs/openapi.json. Arguments: address, key.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const [baseUrl, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const path = { user: "alice" };

const said = await client.POST("/v1/users/{user}/messages", {
  params: { path },
  body: { messages: [{ role: "user", content: "I work at Globex in Oslo." }], conversation: "c1" },
});
assert.equal(said.data?.decisions[0]?.outcome, "added");

const context = await client.POST("/v1/users/{user}/context", { params: { path }, body: { query: "Where do I work?", budget: 500 } });
assert.match(`${context.data?.stable_prefix}${context.data?.volatile_tail}`, /Globex/);

const recalled = await client.POST("/v1/users/{user}/recall", { params: { path }, body: { query: "Where do I work?", limit: 3 } });
assert.match(recalled.data?.items[0]?.text ?? "", /Globex/);

const goals = await client.GET("/v1/users/{user}/goals", { params: { path, query: { states: ["blocked"], "scope.channel": "work" } } });
assert.deepEqual(goals.data, []);

const wrong = await client.POST("/v1/users/{user}/recall", { params: { path }, body: { query: "x", limit: 0 } });
assert.equal(wrong.error?.type, "urn:memoranda:problem:argument");

const receipt = await client.POST("/v1/users/{user}/forget", { params: { path }, body: { value: "Globex" } });
assert.ok(Number(receipt.data?.removed.events) > 0);
const after = await client.POST("/v1/users/{user}/recall", { params: { path }, body: { query: "Where do I work?" } });
assert.ok(!JSON.stringify(after.data).includes("Globex"));
console.log("7 calls of the quick start, as their types say");
