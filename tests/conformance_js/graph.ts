// The TypeScript SDK's client drives the nine tools of the profile `graph`, and the same of the reference server: the
// answers must be equal. Relations with what is not there are left out: its releases differ. Arguments: the address of the profile, the key, the program of the reference server, its file.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

type Json = Record<string, unknown>;
const [address, key, program, file] = process.argv.slice(2) as [string, string, string, string];

const entities = [
  { name: "Ann_Lee", entityType: "person", observations: ["Speaks fluent Spanish", "Sails on Sundays"] },
  { name: "Rex", entityType: "boat", observations: [] },
];
const owns = { from: "Ann_Lee", to: "Rex", relationType: "owns" };
const calls: [string, Json][] = [
  ["read_graph", {}],
  ["create_entities", { entities }],
  ["create_entities", { entities: [entities[1], { name: "Oslo", entityType: "town", observations: ["Is cold"] }] }],
  ["create_relations", { relations: [owns, { from: "Rex", to: "Oslo", relationType: "lies_in" }] }],
  ["create_relations", { relations: [owns] }],
  ["add_observations", { observations: [{ entityName: "Rex", contents: ["Is red", "Leaks a little"] }] }],
  ["add_observations", { observations: [{ entityName: "nobody", contents: ["Is new"] }] }],
  ["read_graph", {}],
  ["search_nodes", { query: "SPANISH" }],
  ["search_nodes", { query: "town" }],
  ["open_nodes", { names: ["Rex", "nobody"] }],
  ["delete_observations", { deletions: [{ entityName: "Rex", observations: ["Is red"] }] }],
  ["open_nodes", { names: ["Rex"] }],
  ["delete_relations", { relations: [owns] }],
  ["read_graph", {}],
  ["delete_entities", { entityNames: ["Rex"] }],
  ["read_graph", {}],
];

async function answers(client: Client): Promise<Json[]> {
  const found: Json[] = [];
  for (const [name, given] of calls) {
    const answer = await client.callTool({ name, arguments: given });
    found.push(answer.isError ? { isError: true } : shown(answer.structuredContent as Json));
  }
  await client.close();
  return found;
}

// Messages are in each server's own words, and relations have no order.
function shown({ message, relations, ...rest }: Json): Json {
  return { ...rest, ...(relations ? { relations: (relations as Json[]).map((one) => JSON.stringify(one)).sort() } : {}) };
}

const reference = new Client({ name: "conformance", version: "1" });
await reference.connect(
  new StdioClientTransport({ command: process.execPath, args: [program], env: { MEMORY_FILE_PATH: file }, stderr: "ignore" }),
);
const names = (await reference.listTools()).tools.map((tool) => tool.name);
const expected = await answers(reference);

const requestInit = { headers: { Authorization: `Bearer ${key}` } };
const memory = new Client({ name: "conformance", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await memory.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
assert.deepEqual((await memory.listTools()).tools.map((tool) => tool.name), names);
const found = await answers(memory);
calls.forEach(([name], number) => assert.deepEqual(found[number], expected[number], `call ${number}, ${name}`));
console.log(`${names.length} tools, ${calls.length} calls answered as by the reference server`);
