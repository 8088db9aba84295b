import type { z } from '@hono/zod-openapi'
import { aboutChangeForm, readAboutChange } from '../../features/agent/about-change.ts'
import type { RangeImpact } from '../../features/impact/assess-range.ts'
import type { ReadMap } from '../../features/impact/read-map.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import type { NamedChange } from '../../site/impact/findings.ts'
import type { AboutChangeColumn } from '../../store/columns.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import type { impactAnswer } from './answers.ts'
import { addStillTrue } from './table.ts'
import * as verbs from './verbs.ts'

export interface ImpactPorts {
  store: Store
  /**
   * What a change touches.
   * @throws AppError `not_found`, `too_large`, `unavailable`
   */
  assessImpact(project: Project, about: AboutChangeColumn): Promise<RangeImpact>
  /** @throws AppError `not_found`, `unavailable` */
  readMap(project: Project): Promise<ReadMap>
}

export type ImpactBody = z.output<typeof impactAnswer>

export const getImpact = deed(verbs.getImpact, (ports: ImpactPorts, { project }, { change }) =>
  impactOf(ports, project, change),
)

export const keepPage = deed(
  verbs.keepPage,
  async ({ store }: ImpactPorts, { project }, { commit, path }) => {
    await addStillTrue(store, { projectId: project.id, commit, path })
    return { commit, path }
  },
)

const getImpactMap = deed(verbs.getImpactMap, async ({ readMap }: ImpactPorts, { project }) => {
  const { pairs, mapProblem = null, ...map } = await readMap(project)
  return { ...map, mapProblem, pairs: pairs.map(({ said = null, ...pair }) => ({ ...pair, said })) }
})

export const impactDeeds = [getImpact, getImpactMap, keepPage]

/** @throws AppError `invalid` for what names no change, and what `assessImpact` throws */
export async function impactOf(
  { assessImpact }: Pick<ImpactPorts, 'assessImpact'>,
  project: Project,
  change: string,
): Promise<ImpactBody> {
  const about = readAboutChange(change)
  if (about === undefined) throw new AppError('invalid', `\`change\` must be ${aboutChangeForm}`)
  const impact = await assessImpact(project, about)
  return {
    from: impact.from,
    to: impact.to,
    commits: impact.commits,
    pages: impact.pages.map(({ path, level, score, commit, why, findings }) => ({
      path,
      level,
      score,
      commit,
      why,
      sections: findings
        .filter(({ places }) => places.length > 0)
        .map(({ heading, lines, places }) => ({
          heading: heading.toWellFormed(),
          lines,
          names: places.map(({ name, line, text }) => ({ name, line, text })),
        })),
    })),
    edited: impact.edited.map(({ path, rank = null, level = null }) => ({ path, rank, level })),
    stillTrue: impact.stillTrue,
    names: impact.names.map(nameBody),
    undocumented: impact.undocumented.map(nameBody),
    compared: impact.compared,
    leftOut: impact.leftOut,
    isPartial: impact.isPartial,
    mapProblem: impact.mapProblem ?? null,
  }
}

function nameBody({ became, before, after, ...one }: NamedChange): ImpactBody['names'][number] {
  const { name, fate, isGone, words } = one
  return { name, fate, isGone, words, became: became ?? null, before: before ?? null, after: after ?? null }
}
