import type { CheckColumn } from '../../store/columns.ts'
import { counted } from '../../lib/text/counted.ts'

const mostNamed = 5

/**
 * What checks came to, in a line: what was left out is never called free of problems.
 * @param show how a path is written there
 */
export function describeChecks(
  checks: readonly CheckColumn[],
  show = (path: string): string => path,
): string {
  const errors = checks.filter(({ severity }) => severity === 'error')
  const leftOut = [...new Set(errors.filter(({ check }) => check === 'policy').map(({ path }) => path))]
  const problems = errors.filter(({ check }) => check !== 'policy').length
  const looked = checks.filter(({ check }) => check === 'look').length
  const claims = checks.filter(({ check }) => check === 'claim').length
  const warnings = checks.length - errors.length - looked - claims
  const more = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : ''
  const parts = [
    ...(leftOut.length > 0
      ? [`Published without ${leftOut.slice(0, mostNamed).map(show).join(', ')}${more}`]
      : []),
    ...(problems > 0 ? [`${counted(problems, 'problem')} left`] : []),
    ...(errors.length === 0 ? [warnings > 0 ? 'No errors' : 'No new problems'] : []),
    ...(looked > 0 ? [`${counted(looked, 'place')} to look at`] : []),
    ...(claims > 0 ? [`${counted(claims, 'sentence')} of the description that the changes do not show`] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return `${parts.join('; ')}.`
}
