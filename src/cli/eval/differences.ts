import { mean } from '../../lib/ranking-quality.ts'

/** For each metric, over what both have measured: the mean difference with its 95 % interval. */
export type Differences = Record<
  string,
  { questions: number; difference: number; low: number; high: number; better: number; worse: number }
>

type Scores = Partial<Record<string, number>>

/** Smaller differences are those of floating point. */
export const least = 1e-9

/** @param pairs what each question or change scored in the first and in the second configuration */
export function differencesOf(
  pairs: readonly (readonly [Scores, Scores])[],
  metrics: readonly string[],
): Differences {
  const result: Differences = {}
  for (const metric of metrics) {
    const differences = pairs.flatMap(([a, b]) => {
      const [before, after] = [a[metric], b[metric]]
      return before === undefined || after === undefined ? [] : [after - before]
    })
    if (differences.length === 0) continue
    const difference = mean(differences)
    const variance =
      differences.reduce((sum, one) => sum + (one - difference) ** 2, 0) / Math.max(1, differences.length - 1)
    const margin = 1.96 * Math.sqrt(variance / differences.length)
    result[metric] = {
      questions: differences.length,
      difference,
      low: difference - margin,
      high: difference + margin,
      better: differences.filter((one) => one > least).length,
      worse: differences.filter((one) => one < -least).length,
    }
  }
  return result
}
