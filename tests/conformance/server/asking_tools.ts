import type { JsonObject } from "../../../mod.ts";
import { type FixtureTool, form, ROOTS, type Round, sample, text } from "./behaviour.ts";

const NAME: Round = {
  // deno-lint-ignore camelcase -- the suite wants the answer under this key
  user_name: form("What is your name?", { name: { type: "string" } }, ["name"]),
};
const CONFIRM: Round = {
  confirm: form("Please confirm", { ok: { type: "boolean" } }, ["ok"]),
};
const STEPS: readonly Round[] = [
  { step1: form("Step 1: What is your name?", { name: { type: "string" } }, ["name"]) },
  { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }, ["color"]) },
];

/** The tools that ask their host before they answer. */
export const ASKING_TOOLS: readonly FixtureTool[] = [
  {
    ...asks("test_sampling", "Asks a model", ({ prompt }) => ({ reply: sample(String(prompt)) })),
    inputSchema: words("prompt"),
  },
  {
    ...asks("test_elicitation", "Asks the user", ({ message }) => ({
      user: form(String(message), {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      }, ["username", "email"]),
    })),
    inputSchema: words("message"),
  },
  asks("test_elicitation_sep1034_defaults", "Asks for values that have defaults", () => ({
    values: form("Please check these values", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  })),
  asks("test_elicitation_sep1330_enums", "Asks for values of enumerations", () => ({
    choices: form("Please choose", ENUMERATIONS),
  })),
  asks("test_missing_capability", "Cannot do without a model", () => ({ reply: sample("Hello") })),
  asks("test_streaming_elicitation", "Asks the user", () => CONFIRM),
  asks("test_input_required_result_elicitation", "Asks the user for a name", () => NAME),
  asks("test_input_required_result_sampling", "Asks a model for a capital", () => ({
    capital_question: sample("What is the capital of France?"),
  })),
  asks("test_input_required_result_list_roots", "Asks for the folders", () => ({
    client_roots: ROOTS,
  })),
  {
    ...asks(
      "test_input_required_result_request_state",
      "Asks the user and keeps a state",
      () => CONFIRM,
    ),
    keepsState: true,
    run: () => [text("state-ok")],
  },
  {
    ...asks(
      "test_input_required_result_tampered_state",
      "Asks the user and keeps a state",
      () => CONFIRM,
    ),
    keepsState: true,
  },
  {
    ...asks("test_input_required_result_multiple_inputs", "Asks three things at once", () => ({
      ...NAME,
      greeting: sample("Generate a greeting"),
      client_roots: ROOTS,
    })),
    keepsState: true,
  },
  {
    ...asks("test_input_required_result_multi_round", "Asks twice", () => ({})),
    keepsState: true,
    rounds: () => STEPS,
  },
  asks(
    "test_input_required_result_capabilities",
    "Asks whatever the host can answer",
    (_args, capabilities) => ({
      ...Object.hasOwn(capabilities, "sampling") && { greeting: sample("Generate a greeting") },
      ...Object.hasOwn(capabilities, "elicitation") && NAME,
    }),
  ),
];

/** Every form of an enumeration in a schema that is asked for. */
const ENUMERATIONS: JsonObject = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: {
    type: "array",
    items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") },
  },
};

/** The values of an enumeration, each with a title. */
function titled(...titles: readonly string[]): readonly JsonObject[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

/** A schema of one text. */
function words(name: string): JsonObject {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

/** A tool that asks one round of questions and gives the answers back. */
function asks(
  name: string,
  description: string,
  round: (args: JsonObject, capabilities: JsonObject) => Round,
): FixtureTool {
  return {
    name,
    description,
    rounds: (args, capabilities) => [round(args, capabilities)],
    run: (_args, _work, answers) => [text(`Answered: ${JSON.stringify(answers)}`)],
  };
}
