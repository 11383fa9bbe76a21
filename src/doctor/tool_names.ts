import type { ToolAddress } from "../tools/public_name.ts";
import { MAX_PUBLIC_NAME, NameTable } from "../tools/public_name.ts";
import { type Finding, listed, placeOfDefinition } from "./finding.ts";
import type { Subject } from "./subject.ts";

/**
 * Tools whose public names are cut or get a suffix: too long, or equal to another's. Goes by the
 * lists in the cache. Pure.
 */
export function toolNameFindings(subjects: readonly Subject[]): readonly Finding[] {
  const offering = subjects.filter(({ wins, tools }) => wins && tools !== null);
  const addresses = offering.flatMap(({ definition, tools }) =>
    (tools?.tools ?? []).map(({ name }): ToolAddress => ({ server: definition.name, tool: name }))
  );
  const byPlainName = Map.groupBy(addresses, nameAlone);
  return offering.flatMap(({ definition, tools }): readonly Finding[] => {
    const names = (tools?.tools ?? []).map(({ name }) => name);
    const { name: server } = definition;
    const long = names.filter((tool) => `mcp_${server}_${tool}`.length > MAX_PUBLIC_NAME);
    const clashing = names.filter((tool) => {
      const same = byPlainName.get(nameAlone({ server, tool })) ?? [];
      return same.some((other) => other.server !== server || other.tool !== tool);
    });
    const place = placeOfDefinition(definition);
    return [
      ...(long.length === 0 ? [] : [{
        check: "tool-names" as const,
        severity: "info" as const,
        ...place,
        message: `Names over ${MAX_PUBLIC_NAME} characters are cut for models: ${listed(long)}`,
        remedy: "Give the server a shorter name",
      }]),
      ...(clashing.length === 0 ? [] : [{
        check: "tool-names" as const,
        severity: "warning" as const,
        ...place,
        message: `These tools share a name with others and get a suffix: ${listed(clashing)}`,
        remedy: "Give one of the servers another name",
      }]),
    ];
  });
}

/** The public name that a tool would have if there were no other. */
function nameAlone(address: ToolAddress): string {
  return [...new NameTable().assign([address]).keys()][0] ?? "";
}
