// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { serveHost } from "./extension.mjs";

/**
 * The extension that pi loads.
 *
 * @param {import("./extension.mjs").Host} pi
 */
export default function hotplug(pi) {
  serveHost(pi, { toolFields: {}, activates: true });
}
