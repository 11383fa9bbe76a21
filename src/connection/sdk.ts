/** The part of the protocol SDK that is used here. */
export type Sdk = typeof import("@modelcontextprotocol/client");

let loading: Promise<Sdk> | null = null;

/** Loads the SDK at the first connection: commands that connect to nothing never pay for it. */
export function loadSdk(): Promise<Sdk> {
  loading ??= import("@modelcontextprotocol/client");
  return loading;
}
