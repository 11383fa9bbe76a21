import { HotplugError } from "../model/errors.ts";
import { remedyForLogin } from "../model/remedies.ts";
import { quoted } from "./noise.ts";

/** An answer that refuses access. */
export interface Refusal {
  /** 401 or 403. */
  readonly status: number;
  /** Its `WWW-Authenticate` header; `null` when it has none. */
  readonly challenge: string | null;
  /** The start of its body. */
  readonly body: string;
  /** Whether the request carried an Authorization header from the configuration. */
  readonly configured: boolean;
}

/**
 * What a refusal means: `needs-auth` when a login could help, `unauthorized` when what was
 * configured was refused or the answer is final.
 */
export function refusalError(name: string, refusal: Refusal): HotplugError {
  const { status, challenge, configured } = refusal;
  const body = refusal.body.trim();
  const said = body === "" ? "" : `; it said ${quoted(body, 160)}`;
  const details = { status, challenge };
  if (status === 403) {
    const scope = challengeParam(challenge, "scope");
    if (challengeParam(challenge, "error") !== "insufficient_scope") {
      return new HotplugError(
        "unauthorized",
        `Cannot reach "${name}": the server refused access (HTTP 403)${said}`,
        {
          hint: configured ? "Check the rights of the configured credentials" : remedyForLogin(),
          details,
        },
      );
    }
    return new HotplugError(
      "needs-auth",
      `Cannot reach "${name}": more rights are needed${scope === null ? "" : `: ${scope}`}`,
      { hint: remedyForLogin(), details: { ...details, scope } },
    );
  }
  if (configured) {
    return new HotplugError(
      "unauthorized",
      `Cannot reach "${name}": the server refused the configured Authorization header (HTTP 401)${said}`,
      { hint: "Check the value of headers.Authorization; it may have expired", details },
    );
  }
  return new HotplugError(
    "needs-auth",
    challenge === null
      ? `Cannot reach "${name}": the server asks for authorisation and does not say how (HTTP 401)${said}`
      : `Cannot reach "${name}": the server asks for authorisation (HTTP 401)`,
    { hint: remedyForLogin(), details },
  );
}

/** One parameter of a `WWW-Authenticate` header. */
function challengeParam(challenge: string | null, key: string): string | null {
  const match = new RegExp(`\\b${key}=(?:"([^"]*)"|([^\\s,]+))`, "i").exec(challenge ?? "");
  return match?.[1] ?? match?.[2] ?? null;
}
