import { changeSettings } from '../../../../features/projects/change-settings.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { refusalOf } from '../refused-form.ts'
import { readVisibility } from '../visibility-field.ts'
import { readPullRequest } from './pull-request-fields.ts'
import { settingsPage } from './settings-page.ts'

export function saveSettingsEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/projects/{domain}/settings', async ({ context, session, form }) => {
    const project = await projectOf(ports, context)
    try {
      await changeSettings(ports, project.id, readSettingsForm(form, project))
    } catch (thrown) {
      const refusal = refusalOf(ports, context, thrown)
      return settingsPage(ports, { context, session }, project, { form: 'settings', values: form, refusal })
    }
    return context.redirect(`/projects/${project.domain}/settings?done=settings`, 303)
  })
}

function readSettingsForm(form: URLSearchParams, { settings }: Project): object {
  const limits = ['steps', 'tokens', 'cost', 'minutes'].flatMap((name) => {
    const value = numberOf(form, name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    ...readVisibility(form),
    model: fieldOf(form, 'model') || null,
    assistantModel: fieldOf(form, 'assistantModel') || null,
    assistantTokensPerDay: numberOf(form, 'assistantTokensPerDay'),
    budget: limits.length === 0 ? null : Object.fromEntries(limits),
    onProblems: fieldOf(form, 'onProblems') === 'fail' ? 'fail' : null,
    allow: linesOf(form, 'allow'),
    protect: linesOf(form, 'protect'),
    ...readPullRequest(form, settings),
  }
}

function numberOf(form: URLSearchParams, name: string): number | null {
  const text = fieldOf(form, name)
  if (text === '') return null
  if (!/^\d+(\.\d+)?$/.test(text)) throw new AppError('invalid', `${JSON.stringify(text)} is not a number`)
  return Number(text)
}

function linesOf(form: URLSearchParams, name: string): string[] | null {
  const lines = fieldOf(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}
