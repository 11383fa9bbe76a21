import type { TransportType } from "../model/definition.ts";

/**
 * How each transport is written in the files of known hosts, canonical form first. Case, dashes
 * and underscores do not count.
 */
export const TRANSPORT_SPELLINGS: Readonly<Record<TransportType, readonly string[]>> = {
  "stdio": ["stdio", "local", "process"],
  "streamable_http": [
    "streamable_http",
    "http",
    "streamable-http",
    "streamableHttp",
    "http-streamable",
    "remote",
    "mcp",
  ],
  "sse": ["sse", "server-sent-events", "event-stream"],
};

/** The spelling without what does not count. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

const BY_SPELLING: ReadonlyMap<string, TransportType> = new Map(
  (Object.keys(TRANSPORT_SPELLINGS) as TransportType[]).flatMap((type) =>
    TRANSPORT_SPELLINGS[type].map((spelling) => [folded(spelling), type] as const)
  ),
);

/** The transport that a file's `type` means, or `null` for a word that no known host uses. */
export function transportType(text: string): TransportType | null {
  return BY_SPELLING.get(folded(text)) ?? null;
}
