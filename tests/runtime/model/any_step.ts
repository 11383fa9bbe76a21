import fc from "fast-check";
import {
  type Act,
  become,
  changeList,
  connect,
  end,
  endAll,
  lookAround,
  pause,
  recheck,
  redeclare,
  reload,
  restart,
  setPolicy,
} from "./acts.ts";
import { AbortStep, BriefCallStep, CallStep, ReleaseStep } from "./call_commands.ts";
import { DoStep, TrapStep, TurnStep } from "./commands.ts";
import type { Host } from "./host.ts";
import type { Model } from "./model.ts";

/** Every kind of step, the frequent ones named more than once. */
export function anyStep(
  names: readonly string[],
): readonly fc.Arbitrary<fc.AsyncCommand<Model, Host>>[] {
  const name = fc.constantFrom(...names);
  const isNoticed = fc.boolean();
  const one: fc.Arbitrary<Act> = fc.oneof(
    name.map((of) => connect([of])),
    fc.constant(connect(names)),
    name.map(end),
    name.map(pause),
    name.map(restart),
    fc.tuple(name, isNoticed).map(([of, noticed]) => become(of, "down", noticed)),
    name.map((of) => become(of, "up", false)),
    fc.tuple(name, isNoticed).map(([of, noticed]) => become(of, "locked", noticed)),
    name.map(changeList),
    fc.tuple(name, fc.constantFrom("whole" as const, "narrow" as const))
      .map(([of, declared]) => redeclare(of, declared)),
    fc.tuple(name, fc.boolean()).map(([of, isForbidden]) => setPolicy(of, isForbidden)),
  );
  const rare: fc.Arbitrary<Act> = fc.oneof(
    fc.constant(reload(names)),
    fc.constant(endAll()),
    fc.constant(recheck()),
    name.map((of) => become(of, "up", false)),
  );
  const reaction = fc.oneof(
    name.map(end),
    name.map(pause),
    name.map(restart),
    name.map((of) => connect([of])),
    fc.constant(lookAround()),
  );
  const tool = fc.constantFrom("act" as const, "look" as const);
  const hanging = fc.constantFrom("hang-act" as const, "hang-look" as const);
  const anyTool = fc.oneof(tool, hanging);
  const turn = fc.constantFrom(100, 300, 500, 1_000, 2_000, 8_000, 60_000);
  return [
    one.map((act) => new DoStep([act])),
    one.map((act) => new DoStep([act])),
    rare.map((act) => new DoStep([act])),
    fc.array(one, { minLength: 2, maxLength: 3 }).map((acts) => new DoStep(acts)),
    fc.tuple(fc.constantFrom("onServer" as const, "onToolsChanged" as const), reaction)
      .map(([on, act]) => new TrapStep(on, act)),
    turn.map((ms) => new TurnStep(ms)),
    turn.map((ms) => new TurnStep(ms)),
    fc.tuple(name, tool).map(([of, which]) => new CallStep(of, which)),
    fc.tuple(name, tool).map(([of, which]) => new CallStep(of, which)),
    fc.tuple(name, hanging).map(([of, which]) => new CallStep(of, which)),
    fc.tuple(name, anyTool, fc.nat(12)).map(([of, which, turns]) =>
      new BriefCallStep(of, which, turns)
    ),
    fc.constant(new AbortStep()),
    fc.constant(new ReleaseStep()),
  ];
}
