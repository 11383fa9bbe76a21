import {
  callTool,
  getPrompt,
  type JsonObject,
  listPrompts,
  listResources,
  listTools,
  type MCPServerConnection,
  readResource,
} from "../../mod.ts";
import { sampleOf } from "./answers.ts";

/** What the suite tells a client beside the scenario's name. */
export interface ScenarioContext {
  /** Calls to make, with their arguments. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

type Play = (connection: MCPServerConnection, context: ScenarioContext) => Promise<void>;

/** What scenarios want that differs from {@linkcode useEverything}. */
const PLAYS: Readonly<Record<string, Play>> = {
  "http-custom-headers": callAsTold,
  "json-schema-2020-12-preservation": echoSchema,
  "json-schema-ref-no-deref": listOnly,
  "request-metadata": askUndeclared,
  "sep-2322-client-request-state": callAtOnce,
};

/** Plays a scenario of the suite over a connection. @throws What a list or a call throws. */
export async function playScenario(
  name: string,
  connection: MCPServerConnection,
  context: ScenarioContext,
): Promise<void> {
  const play = Object.hasOwn(PLAYS, name) ? PLAYS[name] : undefined;
  await (play ?? useEverything)(connection, context);
}

/** Reads every list of a server and uses every entry once. */
async function useEverything(connection: MCPServerConnection): Promise<void> {
  const { items: tools } = await listTools(connection);
  for (const tool of tools) await callTool(connection, tool, sampleOf(tool.inputSchema));
  const { items: resources } = await listResources(connection);
  for (const { key } of resources) await readResource(connection, key);
  const { items: prompts } = await listPrompts(connection);
  for (const { key } of prompts) await getPrompt(connection, key, {});
}

/** The tools are there to be looked at: their server takes no calls. */
async function listOnly(connection: MCPServerConnection): Promise<void> {
  await listTools(connection);
}

/** Calls every tool while the others are under way, so that answers could be mixed up. */
async function callAtOnce(connection: MCPServerConnection): Promise<void> {
  const { items: tools } = await listTools(connection);
  await Promise.all(tools.map((tool) => callTool(connection, tool, sampleOf(tool.inputSchema))));
}

/** Makes the calls of the context. */
async function callAsTold(
  connection: MCPServerConnection,
  context: ScenarioContext,
): Promise<void> {
  const { items: tools } = await listTools(connection);
  for (const { name, arguments: args } of context.toolCalls ?? []) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`Cannot call "${name}": it is not listed`);
    await callTool(connection, tool, args);
  }
}

/** Sends the schema of the first tool to the second one, as it came. */
async function echoSchema(connection: MCPServerConnection): Promise<void> {
  const { items: [shown, echo] } = await listTools(connection);
  if (shown === undefined || echo === undefined) throw new Error("Cannot echo: no two tools");
  await callTool(connection, echo, { schema: shown.inputSchema });
}

/** Its server declares nothing, so that no list would be asked for; it looks at any request. */
async function askUndeclared(connection: MCPServerConnection): Promise<void> {
  await connection.request("tools/list", {});
}
