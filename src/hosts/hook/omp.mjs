// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { serveHost } from "./extension.mjs";

/**
 * The extension that oh-my-pi loads.
 *
 * @param {import("./extension.mjs").Host} omp
 */
export default function hotplug(omp) {
  // "essential" tools stand in the model's request themselves, not behind a search.
  serveHost(omp, { toolFields: { loadMode: "essential" }, activates: false });
}
