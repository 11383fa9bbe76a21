/** One server of the matrix. */
export interface MatrixServer {
  /** Short name: the server's name in the config. */
  readonly name: string;
  /** npm package. */
  readonly package: string;
  /** Version that the matrix was first run with. */
  readonly version: string;
  /** Arguments; `{folder}`, `{kubeconfig}` and `{url}` become what {@linkcode Stand} holds. */
  readonly args?: readonly string[];
  /** Variables with made-up values, without which it does not start. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What stands in for the outside world. */
export interface Stand {
  /** An empty folder. */
  readonly folder: string;
  /** Path of a file that names a cluster that is not there. */
  readonly kubeconfig: string;
  /** A local server over HTTP. */
  readonly url: string;
}

/** Content of {@linkcode Stand.kubeconfig}. */
export const KUBECONFIG: string = `apiVersion: v1
kind: Config
current-context: none
clusters: [{ name: none, cluster: { server: "http://127.0.0.1:1" } }]
users: [{ name: none, user: {} }]
contexts: [{ name: none, context: { cluster: none, user: none } }]
`;

/** A server's arguments with the stand's values. */
export function argumentsOf(server: MatrixServer, stand: Stand): readonly string[] {
  const values = new Map<string, string>(Object.entries(stand));
  return (server.args ?? []).map((arg) =>
    arg.replace(/^\{(\w+)\}$/, (text, key: string) => values.get(key) ?? text)
  );
}

/** Thirty-four servers from npm that are in wide use. None gets a real key. */
export const MATRIX: readonly MatrixServer[] = [
  { name: "everything", package: "@modelcontextprotocol/server-everything", version: "2026.8.31" },
  {
    name: "filesystem",
    package: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    args: ["{folder}"],
  },
  { name: "memory", package: "@modelcontextprotocol/server-memory", version: "2026.8.31" },
  {
    name: "sequential-thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
  },
  { name: "pdf", package: "@modelcontextprotocol/server-pdf", version: "2.0.4", args: ["--stdio"] },
  { name: "map", package: "@modelcontextprotocol/server-map", version: "2.0.3", args: ["--stdio"] },
  {
    name: "budget-allocator",
    package: "@modelcontextprotocol/server-budget-allocator",
    version: "2.0.3",
    args: ["--stdio"],
  },
  {
    name: "system-monitor",
    package: "@modelcontextprotocol/server-system-monitor",
    version: "2.0.3",
    args: ["--stdio"],
  },
  { name: "github-ref", package: "@modelcontextprotocol/server-github", version: "2025.4.8" },
  {
    name: "slack-ref",
    package: "@modelcontextprotocol/server-slack",
    version: "2025.4.25",
    env: { SLACK_BOT_TOKEN: "xoxb-made-up", SLACK_TEAM_ID: "T0" },
  },
  {
    name: "postgres-ref",
    package: "@modelcontextprotocol/server-postgres",
    version: "0.6.2",
    args: ["postgresql://127.0.0.1:1/none"],
  },
  { name: "context7", package: "@upstash/context7-mcp", version: "4.1.1" },
  { name: "playwright", package: "@playwright/mcp", version: "0.0.83" },
  { name: "chrome-devtools", package: "chrome-devtools-mcp", version: "1.11.0" },
  { name: "exa", package: "exa-mcp-server", version: "3.4.1", env: { EXA_API_KEY: "made-up" } },
  {
    name: "sentry",
    package: "@sentry/mcp-server",
    version: "0.39.0",
    env: { SENTRY_ACCESS_TOKEN: "made-up" },
  },
  {
    name: "firecrawl",
    package: "firecrawl-mcp",
    version: "3.26.0",
    env: { FIRECRAWL_API_KEY: "made-up" },
  },
  { name: "tavily", package: "tavily-mcp", version: "0.2.22", env: { TAVILY_API_KEY: "made-up" } },
  {
    name: "notion",
    package: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    env: { NOTION_TOKEN: "made-up" },
  },
  {
    name: "supabase",
    package: "@supabase/mcp-server-supabase",
    version: "0.13.0",
    args: ["--access-token", "made-up"],
  },
  {
    name: "kubernetes",
    package: "kubernetes-mcp-server",
    version: "0.0.67",
    args: ["--kubeconfig", "{kubeconfig}"],
  },
  { name: "azure", package: "@azure/mcp", version: "2.0.5", args: ["server", "start"] },
  {
    name: "figma",
    package: "figma-developer-mcp",
    version: "0.13.2",
    args: ["--stdio"],
    env: { FIGMA_API_KEY: "made-up" },
  },
  { name: "desktop-commander", package: "@wonderwhy-er/desktop-commander", version: "0.2.52" },
  { name: "mongodb", package: "mongodb-mcp-server", version: "3.0.4" },
  {
    name: "stripe",
    package: "@stripe/mcp",
    version: "0.3.3",
    env: { STRIPE_SECRET_KEY: "sk_test_made_up" },
  },
  {
    name: "azure-devops",
    package: "@azure-devops/mcp",
    version: "2.10.0",
    args: ["made-up-organisation"],
  },
  { name: "next-devtools", package: "next-devtools-mcp", version: "0.4.0" },
  { name: "eslint", package: "@eslint/mcp", version: "0.3.13" },
  { name: "antv-chart", package: "@antv/mcp-server-chart", version: "0.9.10" },
  {
    name: "gitlab-zereight",
    package: "@zereight/mcp-gitlab",
    version: "2.1.64",
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: "made-up" },
  },
  {
    name: "brave",
    package: "@brave/brave-search-mcp-server",
    version: "2.1.4",
    env: { BRAVE_API_KEY: "made-up" },
  },
  { name: "hello-world", package: "mcp-hello-world", version: "1.1.2" },
  { name: "mcp-remote", package: "mcp-remote", version: "0.15.1", args: ["{url}"] },
];
