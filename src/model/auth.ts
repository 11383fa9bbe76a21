/** Gives the bearer token for one server; asked before every request. */
export interface AuthProvider {
  /** The current token, or `undefined` when there is none. */
  token(): Promise<string | undefined>;
}

/** Where a host keeps its users' credentials. */
export interface AuthStorage {
  /** The provider for a server, or `undefined` when the host has no credentials for it. */
  providerFor(server: string, url: string): AuthProvider | undefined;
}
