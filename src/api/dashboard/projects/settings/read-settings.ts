import type { Project } from '../../../../features/projects/projects.ts'
import type { ProjectSettings } from '../../../../features/projects/settings.ts'
import { AppError } from '../../../../lib/errors.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { readVisibility } from '../project-fields.ts'
import type { SettingsGroup } from './frame.ts'

/** What the forms of the groups change; a field that a form of before a restart lacks changes nothing. */
export const readGroup: Readonly<
  Record<Exclude<SettingsGroup, 'host'>, (form: URLSearchParams, project: Project) => object>
> = {
  general: (form) => ({
    ...readVisibility(form),
    ...given(form, 'site', fieldOf(form, 'site') || null),
  }),
  agent: (form, { settings }) => ({
    ...given(form, 'model', fieldOf(form, 'model') || null),
    onProblems: fieldOf(form, 'onProblems') === 'fail' ? 'fail' : null,
    ...given(form, 'branchPrefix', fieldOf(form, 'branchPrefix') || null),
    ...given(form, 'signOff', signOffOf(form)),
    ...readPullRequest(form, settings),
  }),
  assistant: (form) => ({
    ...given(form, 'assistantModel', fieldOf(form, 'assistantModel') || null),
    assistantQueries: fieldOf(form, 'assistantQueries') === 'off' ? 'off' : null,
    assistantFiles: fieldOf(form, 'assistantFiles') === 'yes' ? true : null,
    ...(form.has('retentionDays') && { retentionDays: numberOf(form, 'retentionDays') }),
    ...given(form, 'assistantInstructions', fieldOf(form, 'assistantInstructions') || null),
    ...given(form, 'assistantStarters', linesOf(form, 'assistantStarters')),
    ...given(form, 'assistantRefuse', linesOf(form, 'assistantRefuse')),
    ...given(form, 'assistantContact', fieldOf(form, 'assistantContact') || null),
  }),
  search: (form, { settings }) => ({ enrichment: enrichmentOf(form, settings) }),
  policy: (form) => ({
    ...given(form, 'allow', linesOf(form, 'allow')),
    ...given(form, 'protect', linesOf(form, 'protect')),
    ...given(form, 'allowedHosts', linesOf(form, 'allowedHosts')),
    ...given(form, 'allowedImports', linesOf(form, 'allowedImports')),
  }),
  limits(form) {
    const limits = ['steps', 'tokens', 'cost', 'minutes'].flatMap((name) => {
      const value = numberOf(form, name)
      return value === null ? [] : [[name, value] as const]
    })
    return {
      budget: limits.length === 0 ? null : Object.fromEntries(limits),
      ...(form.has('assistantTokensPerDay') && {
        assistantTokensPerDay: numberOf(form, 'assistantTokensPerDay'),
      }),
    }
  },
}

function given(form: URLSearchParams, name: string, value: unknown): object {
  return form.has(name) ? { [name]: value } : {}
}

function signOffOf(form: URLSearchParams): string | null {
  const chosen = fieldOf(form, 'signOff')
  return chosen === 'off' ? null : chosen
}

function enrichmentOf(form: URLSearchParams, { enrichment }: ProjectSettings): object | null {
  if (!form.has('enrichQuestions')) return enrichment ?? null
  const [questions, vectors] = [fieldOf(form, 'enrichQuestions'), fieldOf(form, 'enrichVectors')]
  const ceiling = numberOf(form, 'enrichCeiling')
  const fields = {
    ...(questions !== '' && { questions }),
    ...(vectors !== '' && { vectors }),
    ...(ceiling !== null && { ceiling }),
  }
  return Object.keys(fields).length === 0 ? null : fields
}

const lists = ['labels', 'reviewers', 'assignees'] as const

/** How pull requests are opened; null where nothing is set. */
function readPullRequest(
  form: URLSearchParams,
  { pullRequest: before, trusted }: ProjectSettings,
): { pullRequest: object | null; trusted: string[] | null } {
  const chosen = lists.flatMap((name) => {
    const names = form.has(name) ? namesOf(form, name) : (before?.[name] ?? [])
    return names.length === 0 ? [] : [[name, names] as const]
  })
  const draft = form.get('draft') === 'yes'
  const settings = { ...Object.fromEntries(chosen), ...(draft && { draft }) }
  const heard = form.has('trusted') ? namesOf(form, 'trusted') : (trusted ?? [])
  return {
    pullRequest: Object.keys(settings).length === 0 ? null : settings,
    trusted: heard.length === 0 ? null : heard,
  }
}

function namesOf(form: URLSearchParams, name: string): string[] {
  const names = fieldOf(form, name)
    .split(/[,\n]/)
    // People write logins with an `@`, as in mentions.
    .map((text) => text.trim().replace(name === 'labels' ? '' : /^@/, ''))
    .filter((text) => text !== '')
  return [...new Set(names)]
}

function numberOf(form: URLSearchParams, name: string): number | null {
  const text = fieldOf(form, name)
  if (text === '') return null
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new AppError('invalid', `${JSON.stringify(text)} is not a number of 0 or more`)
  return Number(text)
}

function linesOf(form: URLSearchParams, name: string): string[] | null {
  const lines = fieldOf(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}
