import { shownUrl } from "../definitions/shown_url.ts";
import { HotplugError } from "../model/errors.ts";

/** A redirect that is not followed: it leaves the origin, changes the method, or goes on and on. */
export function redirectError(
  name: string,
  status: number,
  from: URL,
  target: URL | null,
): HotplugError {
  const to = target === null ? "nowhere" : shownUrl(target.href);
  const slash = target !== null && target.origin === from.origin &&
    target.pathname.replace(/\/$/, "") === from.pathname.replace(/\/$/, "");
  return new HotplugError(
    "server-unreachable",
    `Cannot reach "${name}": ${
      shownUrl(from.href)
    } redirects to ${to} (HTTP ${status}), which is not followed`,
    {
      hint: slash
        ? `The urls differ in the last slash alone; set url to ${to}`
        : "If that is the server meant, set url to it",
      details: { status, delivered: "no" },
    },
  );
}
