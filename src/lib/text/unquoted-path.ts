const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

/** A path of a diff as it is: git quotes one that holds special characters, with bytes beyond ASCII as octal numbers. */
export function unquotedPath(path: string): string {
  if (!path.startsWith('"')) return path
  const bytes: Buffer[] = []
  for (const [, octal, escape, plain] of path
    .replace(/^"|"\t?$/g, '')
    .matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 255]))
    else bytes.push(Buffer.from(plain ?? escapes[escape ?? ''] ?? escape ?? ''))
  }
  return Buffer.concat(bytes).toString('utf8')
}
