import type { Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { defaultBranch } from '../projects/setup/add-project.ts'
import { removeContextRepository } from '../projects/setup/change-settings.ts'
import type { ConnectInput } from '../projects/setup/connect-project.ts'
import type { TestModel } from '../../integrations/models/offered-model.ts'
import { AppError } from '../../lib/errors.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { toAppError } from '../../api/errors.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { readCredential, readHostKind, refusalOf } from '../projects/project-fields.ts'
import { groupPath, groups, type SettingsGroup } from './frame.ts'
import { readSettings } from '../projects/setting-fields.ts'
import { settingsPage, type SettingsForm, type SettingsPorts } from './page.ts'

interface Ports extends SettingsPorts {
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
  testModel: TestModel
}

/** The forms of the settings page. A refusal is shown beside its form. */
export function settingsForms(pages: Pages, ports: Ports): Endpoint[] {
  const { hosts } = ports
  const tried = (
    verb: Verb,
    path: string,
    { name, group, done }: { name: SettingsForm; group: SettingsGroup; done: string },
    act: (project: Project, form: URLSearchParams, caller: Caller) => Promise<unknown>,
  ): Endpoint =>
    pages.projectForm(`/projects/{domain}/${path}`, verb, async ({ project, form, ...visit }) => {
      try {
        await act(project, form, visit.caller)
      } catch (thrown) {
        const refusal = refusalOf(ports, visit.context, thrown)
        return settingsPage(ports, visit, project, group, { refused: { form: name, values: form, refusal } })
      }
      return visit.context.redirect(`${groupPath(project, group)}?done=${done}`, 303)
    })
  const plain = (
    verb: Verb,
    path: string,
    { group, done }: { group: SettingsGroup; done: string },
    act: (project: Project, form: URLSearchParams) => Promise<unknown>,
  ): Endpoint =>
    pages.projectForm(`/projects/{domain}/${path}`, verb, async ({ context, project, form }) => {
      await act(project, form)
      return context.redirect(`${groupPath(project, group)}?done=${done}`, 303)
    })
  const connect = (
    name: 'token' | 'app' | 'repository' | 'move',
    read: (form: URLSearchParams, project: Project) => ConnectInput,
    done = 'connected',
  ): Endpoint =>
    tried('connectProject', `host/${name}`, { name, group: 'host', done }, async (project, form, caller) =>
      hosts.connect(project, read(form, project), caller),
    )
  return [
    ...groups.flatMap(({ name: group }) =>
      group === 'host'
        ? []
        : [
            tried(
              'changeSettings',
              `settings/${group}`,
              { name: group, group, done: 'settings' },
              async (project, form, caller) =>
                hosts.changeSettings(project, readSettings(group, form, project.settings), caller),
            ),
          ],
    ),
    testModelForm(pages, ports),
    connect('token', (form) => ({ credential: givenCredential(form) })),
    connect('app', (form) => ({ credential: givenCredential(form) })),
    connect('repository', readRepository),
    connect('move', readMove, 'moved'),
    plain('checkHost', 'host/check', { group: 'host', done: 'checked' }, (project) => hosts.check(project)),
    plain('forgetCredential', 'host/forget-credential', { group: 'host', done: 'forgotten' }, (project) =>
      hosts.forgetCredential(project),
    ),
    tried(
      'addContextRepository',
      'context',
      { name: 'context', group: 'agent', done: 'context-added' },
      async (project, form, caller) =>
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
    plain(
      'removeContextRepository',
      'context/remove',
      { group: 'agent', done: 'context-removed' },
      ({ id }, form) => removeContextRepository(ports.store, id, fieldOf(form, 'name')),
    ),
  ]
}

const workOf = {
  assistant: { answers: true, jobs: false },
  agent: { answers: false, jobs: true },
}

/** Tries a model, and shows on the page of the form what came of it. */
function testModelForm(pages: Pages, ports: Ports): Endpoint {
  return pages.projectForm(
    '/projects/{domain}/settings/test-model',
    'testModel',
    async ({ project, form, ...visit }) => {
      const model = fieldOf(form, 'model')
      const group = fieldOf(form, 'group') === 'assistant' ? 'assistant' : 'agent'
      const tried = await ports.testModel(model, workOf[group]).then(
        (outcome) => ({ model, outcome, works: true }),
        (thrown: unknown) => {
          const error = toAppError(thrown)
          if (error.code === 'internal') throw thrown
          return { model, outcome: error.message, works: false }
        },
      )
      return settingsPage(ports, visit, project, group, { tried })
    },
  )
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
