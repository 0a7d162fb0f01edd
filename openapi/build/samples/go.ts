import { json, sentFile, sentPart, type Call } from './call.ts';

/** Prints a text in backticks if it has none, else in quotes. */
const raw = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/** Prints a call as a whole program that uses only the standard library. */
export function goSample(call: Call): string {
  const { method, address, target, isAuthenticated, placeholder, headers, body, redirectStatus } = call;
  const imports = new Set(['fmt', 'io', 'log', 'net/http']);
  const lines: string[] = [];
  let reader = 'nil';
  const sentHeaders: Array<readonly [name: string, value: string]> = [];
  if (isAuthenticated) sentHeaders.push(['"Authorization"', `"Bearer ${placeholder}"`]);
  for (const [name, value] of Object.entries(headers)) sentHeaders.push([JSON.stringify(name), JSON.stringify(value)]);
  if (body?.type === 'multipart/form-data') {
    for (const one of ['bytes', 'mime/multipart', 'os']) imports.add(one);
    lines.push(
      `file, err := os.Open("${sentFile}")`,
      'if err != nil {',
      '\tlog.Fatal(err)',
      '}',
      'var form bytes.Buffer',
      'writer := multipart.NewWriter(&form)',
      `part, _ := writer.CreateFormFile("file", "${sentFile}")`,
      'io.Copy(part, file)',
      'writer.Close()',
    );
    reader = '&form';
    sentHeaders.push(['"Content-Type"', 'writer.FormDataContentType()']);
  } else if (body?.value === 'file') {
    imports.add('os');
    lines.push(`file, err := os.Open("${sentPart}")`, 'if err != nil {', '\tlog.Fatal(err)', '}');
    reader = 'file';
    sentHeaders.push(['"Content-Type"', JSON.stringify(body.type)]);
  } else if (body?.type === 'application/x-www-form-urlencoded') {
    for (const one of ['net/url', 'strings']) imports.add(one);
    lines.push('form := url.Values{}');
    for (const [name, value] of Object.entries(body.value as Record<string, unknown>))
      lines.push(`form.Set(${JSON.stringify(name)}, ${JSON.stringify(String(value))})`);
    reader = 'strings.NewReader(form.Encode())';
    sentHeaders.push(['"Content-Type"', JSON.stringify(body.type)]);
  } else if (body) {
    imports.add('strings');
    reader = `strings.NewReader(${raw(typeof body.value === 'string' ? body.value : json(body.value))})`;
    sentHeaders.push(['"Content-Type"', JSON.stringify(body.type)]);
  }
  lines.push(
    `request, err := http.NewRequest("${method}", "${address}${target}", ${reader})`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    ...sentHeaders.map(([name, value]) => `request.Header.Set(${name}, ${value})`),
    ...(redirectStatus === undefined
      ? []
      : [
          'client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {',
          '\treturn http.ErrUseLastResponse',
          '}}',
        ]),
    `response, err := ${redirectStatus === undefined ? 'http.DefaultClient' : 'client'}.Do(request)`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    'defer response.Body.Close()',
    'text, _ := io.ReadAll(response.Body)',
    'if response.StatusCode >= 400 {',
    '\tlog.Fatal(response.Status, string(text))',
    '}',
    'fmt.Println(string(text))',
  );
  // A raw string may have lines of its own, which must not be indented.
  const text = lines.map((line) => `\t${line}`).join('\n');
  return `package main\n\nimport (\n${[...imports]
    .sort()
    .map((one) => `\t"${one}"`)
    .join('\n')}\n)\n\nfunc main() {\n${text}\n}`;
}
