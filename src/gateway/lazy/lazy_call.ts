import { closest } from "../../definitions/suggestion.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { eitherOf } from "../../tools/near_names.ts";
import { addressOf, callTool } from "../call_tool.ts";
import type { HostRequest } from "../host_request.ts";
import { modernResult } from "../protocol_versions.ts";
import type { Answer } from "../rpc.ts";
import { innerArguments } from "./inner_arguments.ts";
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOL } from "./lazy_names.ts";
import type { LazyTools } from "./lazy_tools.ts";
import { LONGEST_SERVER, oneLine, quotedName } from "./one_line.ts";
import { searchAnswer } from "./search_answer.ts";
import { searched } from "./search_request.ts";
import { signatureOf } from "./signature.ts";
import type { FindableTool } from "./tool_index.ts";

/** Names that are suggested for a wrong one. */
const MOST_NEAR = 3;

/** Most characters of a wrong name that are looked at. */
const LONGEST_NAME = 128;

/** Most characters of a tool's arguments in a sentence. */
const ARGUMENTS = 400;

/** What one of the three tools does. What is wrong with a call is a result that a model can read. */
type LazyTool = (request: HostRequest, lazy: LazyTools, args: JsonObject) => Promise<Answer>;

const OWN: ReadonlyMap<string, LazyTool> = new Map<string, LazyTool>([
  [SEARCH_TOOL, search],
  [DESCRIBE_TOOL, describe],
  [CALL_TOOL, call],
]);

/**
 * `tools/call` where three tools may stand for all. A host that calls a tool by its own name gets
 * it as ever.
 */
export function callOffered(request: HostRequest): Promise<Answer> {
  const { offer: { lazy }, params } = request;
  const { name, arguments: given } = params;
  const own = typeof name === "string" ? OWN.get(name) : undefined;
  if (lazy === null || own === undefined) return callTool(request);
  const args = given ?? {};
  return isJsonObject(args) ? own(request, lazy, args) : callTool(request);
}

async function search(request: HostRequest, lazy: LazyTools, args: JsonObject): Promise<Answer> {
  const { offer, session, signal } = request;
  await offer.seen(signal, "tools");
  const result = searched(args, lazy, session.servers());
  if (typeof result === "string") return mistake(request, result);
  const { text, structured } = searchAnswer(result);
  return answered(request, text, structured);
}

async function describe(request: HostRequest, lazy: LazyTools, args: JsonObject): Promise<Answer> {
  const { name } = args;
  if (typeof name !== "string" || name === "") return mistake(request, missingName(DESCRIBE_TOOL));
  if (await addressOf(request, name) === null) return mistake(request, unknownTool(name, lazy));
  const tool = lazy.describe(name);
  if (tool === null) {
    return mistake(request, `${quotedName(name)} is not offered any more. Search for another.`);
  }
  const structured = described(tool);
  return answered(request, JSON.stringify(structured), structured);
}

async function call(request: HostRequest, lazy: LazyTools, args: JsonObject): Promise<Answer> {
  const { name, arguments: given, ...strays } = args;
  if (typeof name !== "string" || name === "") return mistake(request, missingName(CALL_TOOL));
  const isOwn = OWN.has(name) && request.offer.tools.find(name) === null;
  if (isOwn) return mistake(request, `Call ${quotedName(name)} itself, not through call_tool.`);
  if (await addressOf(request, name) === null) return mistake(request, unknownTool(name, lazy));
  const inner = innerArguments(given);
  const isMisplaced = given === undefined && Object.keys(strays).length > 0;
  if (inner === null || isMisplaced) return mistake(request, wrongArguments(name, lazy));
  return await callTool({ ...request, params: { ...request.params, name, arguments: inner } });
}

/** What a model gets to know of a tool: what a host would be told of it, without decoration. */
function described({ publicName, server, listed }: FindableTool): JsonObject {
  const { title, description, inputSchema, outputSchema, annotations } = listed;
  return {
    name: publicName,
    server: oneLine(server, LONGEST_SERVER),
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function missingName(tool: string): string {
  return `${tool} needs "name", the name of a tool as search_tools gives it.`;
}

function wrongArguments(name: string, lazy: LazyTools): string {
  const schema = lazy.describe(name)?.listed["inputSchema"];
  const takes = isJsonObject(schema) ? signatureOf(schema, ARGUMENTS) : "";
  return `The arguments of ${quotedName(name)} must be one object under "arguments": ` +
    `{"name": ${quotedName(name)}, "arguments": {…}}.` +
    (takes === "" ? "" : ` It takes (${takes}).`);
}

/** What is wrong with a name, and which ones it may mean. */
function unknownTool(given: string, lazy: LazyTools): string {
  const name = given.slice(0, LONGEST_NAME);
  const { tools } = lazy;
  const spelt = closest(name, tools.map((tool) => tool.publicName));
  const near = new Set([
    ...tools.filter((tool) => tool.name === name).map((tool) => tool.publicName),
    ...(spelt === null ? [] : [spelt]),
    ...lazy.index.find(name).map((tool) => tool.publicName),
  ]);
  const advice = near.size === 0 ? "" : ` Did you mean ${eitherOf([...near].slice(0, MOST_NEAR))}?`;
  return `There is no tool ${quotedName(name)}.${advice} search_tools finds all that there are.`;
}

function answered({ isModern }: HostRequest, text: string, structured: JsonObject): Answer {
  const result: JsonObject = { content: [{ type: "text", text }], structuredContent: structured };
  return { result: isModern ? modernResult(result) : result };
}

function mistake({ isModern }: HostRequest, text: string): Answer {
  const result: JsonObject = { content: [{ type: "text", text }], isError: true };
  return { result: isModern ? modernResult(result) : result };
}
