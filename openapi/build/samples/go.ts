import { json, sentFile, sentPart, type Call } from './call.ts';

/** Prints a text in backticks if it has none, else in quotes. */
const raw = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/** How a program sends a body: what it imports, the lines before the request, the reader, and the content type. */
interface GoBody {
  readonly imports: readonly string[];
  readonly lines: readonly string[];
  readonly reader: string;
  /** An expression of Go. */
  readonly type?: string;
}

function goBody(body: Call['body']): GoBody {
  if (!body) return { imports: [], lines: [], reader: 'nil' };
  const type = JSON.stringify(body.type);
  if (body.type === 'multipart/form-data')
    return {
      imports: ['bytes', 'mime/multipart', 'os'],
      lines: [
        ...opened(sentFile),
        'var form bytes.Buffer',
        'writer := multipart.NewWriter(&form)',
        `part, _ := writer.CreateFormFile("file", "${sentFile}")`,
        'io.Copy(part, file)',
        'writer.Close()',
      ],
      reader: '&form',
      type: 'writer.FormDataContentType()',
    };
  if (body.value === 'file') return { imports: ['os'], lines: opened(sentPart), reader: 'file', type };
  if (body.type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(body.value as Record<string, unknown>).map(
      ([name, value]) => `form.Set(${JSON.stringify(name)}, ${JSON.stringify(String(value))})`,
    );
    const reader = 'strings.NewReader(form.Encode())';
    return { imports: ['net/url', 'strings'], lines: ['form := url.Values{}', ...fields], reader, type };
  }
  const text = typeof body.value === 'string' ? body.value : json(body.value);
  return { imports: ['strings'], lines: [], reader: `strings.NewReader(${raw(text)})`, type };
}

function opened(file: string): string[] {
  return [`file, err := os.Open("${file}")`, ...orFail];
}

const orFail = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** Prints a call as a whole program that uses only the standard library. */
export function goSample(call: Call): string {
  const { method, address, target, isAuthenticated, placeholder, headers, body, redirectStatus } = call;
  const { imports, lines: before, reader, type } = goBody(body);
  const sentHeaders: Array<readonly [name: string, value: string]> = [];
  if (isAuthenticated) sentHeaders.push(['"Authorization"', `"Bearer ${placeholder}"`]);
  for (const [name, value] of Object.entries(headers)) sentHeaders.push([JSON.stringify(name), JSON.stringify(value)]);
  if (type !== undefined) sentHeaders.push(['"Content-Type"', type]);
  const lines = [
    ...before,
    `request, err := http.NewRequest("${method}", "${address}${target}", ${reader})`,
    ...orFail,
    ...sentHeaders.map(([name, value]) => `request.Header.Set(${name}, ${value})`),
    ...(redirectStatus === undefined
      ? []
      : [
          'client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {',
          '\treturn http.ErrUseLastResponse',
          '}}',
        ]),
    `response, err := ${redirectStatus === undefined ? 'http.DefaultClient' : 'client'}.Do(request)`,
    ...orFail,
    'defer response.Body.Close()',
    'text, _ := io.ReadAll(response.Body)',
    'if response.StatusCode >= 400 {',
    '\tlog.Fatal(response.Status, string(text))',
    '}',
    'fmt.Println(string(text))',
  ];
  // A raw string may have lines of its own, which must not be indented.
  const text = lines.map((line) => `\t${line}`).join('\n');
  return `package main\n\nimport (\n${['fmt', 'io', 'log', 'net/http', ...imports]
    .sort()
    .map((one) => `\t"${one}"`)
    .join('\n')}\n)\n\nfunc main() {\n${text}\n}`;
}
