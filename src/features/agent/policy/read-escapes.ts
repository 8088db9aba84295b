const escape = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|U([0-9a-f]{8}))/gi

/** The escapes by which JSON, YAML and JavaScript write plain characters; what is no character stays. */
export function readEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(escape, (whole: string, ...found: (string | undefined)[]) => {
    const code = Number.parseInt(found.slice(0, 4).find((one) => one !== undefined) ?? '', 16)
    return code >= 0x20 && code < 0x7f ? String.fromCodePoint(code) : whole
  })
}
