import type { HostFormat } from "./host_format.ts";

/** Whether the texts under a key of an entry mean what they say, without placeholders. */
export function isLiteral(key: string, { literal = false }: Pick<HostFormat, "literal">): boolean {
  return typeof literal === "boolean" ? literal : literal.includes(key);
}
