import { shownName } from "../model/remedies.ts";
import { forVendor, type ModelVendor } from "../tools/model_schema.ts";
import { ageWords } from "./age_words.ts";
import { type Finding, listed, NOWHERE, placeOfDefinition } from "./finding.ts";
import type { RememberedTools, Subject } from "./subject.ts";

/** The vendors, and how they are called. */
const VENDORS: readonly (readonly [ModelVendor, string])[] = [
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
  ["gemini", "Gemini"],
];

/**
 * Tools whose arguments a vendor's API would refuse as they are: what is repaired, and which tool
 * is left out. Goes by the lists in the cache, whose age is told. Pure.
 */
export function schemaFindings(subjects: readonly Subject[]): readonly Finding[] {
  const running = subjects.filter(({ wins, verdict }) => wins && verdict.state === "run");
  const unknown = running.filter(({ tools }) => tools === null)
    .map(({ definition: { name } }) => name);
  const missing: readonly Finding[] = unknown.length === 0 ? [] : [{
    check: "schemas",
    severity: "info",
    ...NOWHERE,
    server: unknown.length === 1 ? unknown[0] ?? null : null,
    message: `No list of tools is remembered of ${listed(unknown)}, so theirs could not be checked`,
    remedy: `Read the lists, then look again: mcp tools --refresh ${
      unknown.slice(0, 8).map(shownName).join(" ")
    }`,
  }];
  return [
    ...missing,
    ...running.flatMap((subject) =>
      subject.tools === null ? [] : toolFindings(subject, subject.tools)
    ),
  ];
}

/** What is wrong with the tools of one server: equal sentences about several tools are one. */
function toolFindings(
  { definition }: Subject,
  { tools, ageMs }: RememberedTools,
): readonly Finding[] {
  const told = new Map<string, {
    readonly isLost: boolean;
    readonly vendors: readonly string[];
    readonly sentence: string;
    readonly tools: string[];
  }>();
  for (const tool of tools) {
    for (const { sentence, vendors, isLost } of sentencesOf(tool)) {
      const key = JSON.stringify([sentence, vendors]);
      const entry = told.get(key);
      if (entry === undefined) {
        told.set(key, { sentence, vendors, isLost, tools: [tool.name] });
      } else entry.tools.push(tool.name);
    }
  }
  return [...told.values()].map(({ sentence, vendors, isLost, tools }): Finding => ({
    check: "schemas",
    severity: isLost ? "warning" : "info",
    ...placeOfDefinition(definition),
    message: `${tools.length === 1 ? "Tool" : "Tools"} ${listed(tools)} for ${
      vendors.length === VENDORS.length ? "every vendor" : vendors.join(" and ")
    }: ${sentence} (list of ${ageWords(ageMs)} ago)`,
    remedy: isLost
      ? "Tell the server's author, or use a model of another vendor for this tool"
      : "Nothing to do here: what a model gets is made fit for it; tell the server's author",
  }));
}

/** What each vendor's form of a tool is not, vendors with the same sentence together. */
function sentencesOf(tool: RememberedTools["tools"][number]): readonly {
  readonly sentence: string;
  readonly vendors: readonly string[];
  readonly isLost: boolean;
}[] {
  const found = new Map<string, { readonly vendors: string[]; readonly isLost: boolean }>();
  for (const [vendor, label] of VENDORS) {
    const { schema, warnings } = forVendor(vendor, tool);
    for (const [index, warning] of warnings.entries()) {
      const sentence = shortened(warning);
      // Why a tool is left out is the last that is said of it.
      const isLost = schema === null && index === warnings.length - 1;
      const entry = found.get(sentence);
      if (entry === undefined) found.set(sentence, { vendors: [label], isLost });
      else entry.vendors.push(label);
    }
  }
  return [...found].map(([sentence, { vendors, isLost }]) => ({ sentence, vendors, isLost }));
}

/** A sentence without its final stop, as a part of another; a server's names in it may be long. */
function shortened(sentence: string): string {
  const text = sentence.replace(/\.$/, "");
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return short.charAt(0).toLowerCase() + short.slice(1);
}
