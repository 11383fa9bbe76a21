import { hookTest } from "./hook_scenario.ts";
import { DRIVEN, DRIVEN_ON_DEMAND } from "./hosts.ts";
import { ALL_HOSTS } from "./lab_test_case.ts";

for (const driver of DRIVEN) hookTest(driver);
for (const driver of DRIVEN_ON_DEMAND) hookTest(driver, ALL_HOSTS);
