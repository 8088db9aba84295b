import { defaultBranch } from '../../../../features/projects/add-project.ts'
import type { Caller, Verb } from '../../../../features/projects/allow.ts'
import { removeContextRepository } from '../../../../features/projects/change-settings.ts'
import type { ConnectInput } from '../../../../features/projects/connections/connect-project.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import { projectForm } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { readCredential, readHostKind, readVisibility, refusalOf } from '../project-fields.ts'
import { fieldOf } from '../../read-form.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { readPullRequest } from './settings-form.ts'
import { settingsPage, type SettingsForm } from './settings-page.ts'

/** The forms of the settings page. A refusal is shown beside its form. */
export function settingsForms(ports: DashboardPorts): Endpoint[] {
  const { hosts } = ports
  const tried = (
    verb: Verb,
    path: string,
    name: SettingsForm,
    done: string,
    act: (project: Project, form: URLSearchParams, caller: Caller) => Promise<unknown>,
  ): Endpoint =>
    projectForm(ports, `/projects/{domain}/${path}`, verb, async ({ project, form, ...visit }) => {
      try {
        await act(project, form, visit.caller)
      } catch (thrown) {
        const refusal = refusalOf(ports, visit.context, thrown)
        return settingsPage(ports, visit, project, { form: name, values: form, refusal })
      }
      return visit.context.redirect(`/projects/${project.domain}/settings?done=${done}`, 303)
    })
  const plain = (
    verb: Verb,
    path: string,
    done: string,
    act: (project: Project, form: URLSearchParams) => Promise<unknown>,
  ): Endpoint =>
    projectForm(ports, `/projects/{domain}/${path}`, verb, async ({ context, project, form }) => {
      await act(project, form)
      return context.redirect(`/projects/${project.domain}/settings?done=${done}`, 303)
    })
  const connect = (
    name: 'token' | 'app' | 'repository' | 'move',
    read: (form: URLSearchParams, project: Project) => ConnectInput,
    done = 'connected',
  ): Endpoint =>
    tried('connectProject', `host/${name}`, name, done, async (project, form, caller) =>
      hosts.connect(project, read(form, project), caller),
    )
  return [
    tried('changeSettings', 'settings', 'settings', 'settings', async (project, form, caller) =>
      hosts.changeSettings(project, readSettings(form, project), caller),
    ),
    connect('token', (form) => ({ credential: givenCredential(form) })),
    connect('app', (form) => ({ credential: givenCredential(form) })),
    connect('repository', readRepository),
    connect('move', readMove, 'moved'),
    plain('checkHost', 'host/check', 'checked', (project) => hosts.check(project)),
    plain('forgetCredential', 'host/forget-credential', 'forgotten', (project) =>
      hosts.forgetCredential(project),
    ),
    tried('addContextRepository', 'context', 'context', 'context-added', async (project, form, caller) =>
      hosts.addContext(
        project,
        {
          name: fieldOf(form, 'name'),
          location: fieldOf(form, 'location'),
          ref: fieldOf(form, 'ref') || undefined,
        },
        caller,
      ),
    ),
    plain('removeContextRepository', 'context/remove', 'context-removed', ({ id }, form) =>
      removeContextRepository(ports.store, id, fieldOf(form, 'name')),
    ),
  ]
}

function givenCredential(form: URLSearchParams): NonNullable<ConnectInput['credential']> {
  const credential = readCredential(form)
  if (!credential) throw new AppError('invalid', 'Give the token, or the id and the key of the app')
  return credential
}

function readRepository(form: URLSearchParams, { followsDefault }: Project): ConnectInput {
  const [ref, fork] = [fieldOf(form, 'ref'), fieldOf(form, 'fork')]
  return {
    host: readHostKind(form),
    fork: fork === '' ? null : fork,
    ref: ref !== '' ? ref : followsDefault ? undefined : defaultBranch,
    ...(form.has('root') && { root: fieldOf(form, 'root') }),
  }
}

function readMove(form: URLSearchParams): ConnectInput {
  const [ref, fork] = [fieldOf(form, 'ref'), fieldOf(form, 'fork')]
  return {
    location: fieldOf(form, 'location'),
    credential: readCredential(form),
    ref: ref === '' ? undefined : ref,
    // An absent field changes nothing; an empty one removes the fork.
    fork: fork === '' && form.has('fork') ? null : fork || undefined,
  }
}

function readSettings(form: URLSearchParams, { settings }: Project): object {
  const limits = ['steps', 'tokens', 'cost', 'minutes'].flatMap((name) => {
    const value = numberOf(form, name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    ...readVisibility(form),
    model: fieldOf(form, 'model') || null,
    assistantModel: fieldOf(form, 'assistantModel') || null,
    assistantTokensPerDay: numberOf(form, 'assistantTokensPerDay'),
    assistantQueries: fieldOf(form, 'assistantQueries') === 'off' ? 'off' : null,
    assistantFiles: fieldOf(form, 'assistantFiles') === 'yes' ? true : null,
    // A form of before a restart may lack the field, which changes nothing.
    ...(form.has('retentionDays') && { retentionDays: numberOf(form, 'retentionDays') }),
    ...guidanceOf(form),
    budget: limits.length === 0 ? null : Object.fromEntries(limits),
    enrichment: enrichmentOf(form, settings),
    onProblems: fieldOf(form, 'onProblems') === 'fail' ? 'fail' : null,
    allow: linesOf(form, 'allow'),
    protect: linesOf(form, 'protect'),
    allowedHosts: linesOf(form, 'allowedHosts'),
    allowedImports: linesOf(form, 'allowedImports'),
    ...readPullRequest(form, settings),
  }
}

/** A form of before a restart lacks the fields, which changes nothing. */
function guidanceOf(form: URLSearchParams): object {
  if (!form.has('assistantInstructions')) return {}
  return {
    assistantInstructions: fieldOf(form, 'assistantInstructions') || null,
    assistantStarters: linesOf(form, 'assistantStarters'),
    assistantRefuse: linesOf(form, 'assistantRefuse'),
    assistantContact: fieldOf(form, 'assistantContact') || null,
  }
}

/** A form of before a restart may lack the fields, which changes nothing. */
function enrichmentOf(form: URLSearchParams, { enrichment }: Project['settings']): object | null {
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
