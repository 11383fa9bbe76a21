/** Variables that tell of a terminal or a login and change from one to the next. */
const PASSING: ReadonlySet<string> = new Set([
  "_",
  "COLORFGBG",
  "COLORTERM",
  "COLUMNS",
  "CLICOLOR",
  "DBUS_SESSION_BUS_ADDRESS",
  "DESKTOP_STARTUP_ID",
  "DISPLAY",
  "FORCE_COLOR",
  "INVOCATION_ID",
  "JOURNAL_STREAM",
  "LINES",
  "LS_COLORS",
  "NO_COLOR",
  "OLDPWD",
  "PS1",
  "PWD",
  "SESSION_MANAGER",
  "SHLVL",
  "STY",
  "TERM",
  "VTE_VERSION",
  "WAYLAND_DISPLAY",
  "WINDOWID",
  "WINDOWPATH",
  "XAUTHORITY",
  "XDG_ACTIVATION_TOKEN",
  "XDG_RUNTIME_DIR",
  "XPC_SERVICE_NAME",
]);

/** Beginnings of more of them. */
const PASSING_PREFIXES: readonly string[] = [
  "ALACRITTY_",
  "GNOME_TERMINAL_",
  "GPG_",
  "HOTPLUG_",
  "ITERM_",
  "KITTY_",
  "KONSOLE_",
  "SSH_",
  "TERM_",
  "TMUX",
  "VSCODE_",
  "WEZTERM_",
  "WT_",
  "XDG_SESSION_",
  "ZELLIJ",
  "npm_",
];

/**
 * The part of a process's environment that decides what a server will be: accounts, settings,
 * paths. Without the variables of the terminal, a second terminal finds the lists of the first.
 *
 * @param named Variables that the definition asks for by name: they decide, whatever they tell of.
 * Windows names have no case.
 */
export function lastingVariables(
  environment: Readonly<Record<string, string>>,
  named: readonly string[] = [],
): Readonly<Record<string, string>> {
  const asked = new Set(named.map((name) => name.toUpperCase()));
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) =>
      asked.has(name.toUpperCase()) ||
      !PASSING.has(name) && !PASSING_PREFIXES.some((prefix) => name.startsWith(prefix))
    ),
  );
}
