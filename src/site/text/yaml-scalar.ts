import { parseYaml } from '../../lib/text/yaml.ts'

export type ScalarStyle = 'plain' | 'double' | 'single'

// Values that some YAML parser does not read as text: booleans of YAML 1.1, times, dates, unusual forms of numbers.
const mistaken =
  /^(?:y|n|yes|no|on|off|true|false|null|none|~|=|<<|[-+]?[\d.][\d_.,:eE+-]*|0[xob][\da-f_]+|\d{4}-\d\d?-\d\d?.*|[-+]?\.(?:inf|nan))$/i

/**
 * Writes a text as a YAML scalar on one line that every parser reads as this text, in the given style if possible.
 */
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
    const parsed = parseYaml(`key: ${value}\n`, { lenient: true })
    return typeof parsed === 'object' && parsed !== null && 'key' in parsed && parsed.key === value
  } catch {
    return false
  }
}

function isPrintable(value: string): boolean {
  // Tab and line feed are the only control characters that a scalar may contain unescaped.
  return !/[^\P{Cc}\t\n]|[\u2028\u2029\ufeff]/u.test(value)
}
