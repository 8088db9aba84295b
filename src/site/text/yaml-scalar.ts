import { parse } from 'yaml'

export type ScalarStyle = 'plain' | 'double' | 'single'

// What some YAML reader takes for something else than text: 1.1 booleans, times, dates, numbers in their odd forms.
const mistaken =
  /^(?:y|n|yes|no|on|off|true|false|null|none|~|=|<<|[-+]?[\d.][\d_.,:eE+-]*|0[xob][\da-f_]+|\d{4}-\d\d?-\d\d?.*|[-+]?\.(?:inf|nan))$/i

/** A text on one line of YAML that every reader takes for this text, in the given style if that can hold it. */
export function yamlScalar(value: string, style: ScalarStyle = 'plain'): string {
  if (style === 'plain' && isPlain(value)) return value
  if (style === 'single' && !/[\n\r\t\u0085\u2028\u2029]/.test(value) && isPrintable(value)) {
    return `'${value.replaceAll("'", "''")}'`
  }
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function isPlain(value: string): boolean {
  if (value === '' || value !== value.trim() || !isPrintable(value) || /[\n\r\t]/.test(value)) return false
  if (mistaken.test(value) || /^[-?:,[\]{}#&*!|>'"%@`]/.test(value) || /: |:$| #/.test(value)) return false
  if (/[,[\]{}]/.test(value) && /^[[{]/.test(value)) return false
  return parsesTo(value)
}

function parsesTo(value: string): boolean {
  try {
    const parsed: unknown = parse(`key: ${value}\n`, { logLevel: 'silent' })
    return typeof parsed === 'object' && parsed !== null && 'key' in parsed && parsed.key === value
  } catch {
    return false
  }
}

function isPrintable(value: string): boolean {
  // Tab and line feed are the two control characters that a scalar may hold as they are.
  return !/[^\P{Cc}\t\n]|[\u2028\u2029\ufeff]/u.test(value)
}
