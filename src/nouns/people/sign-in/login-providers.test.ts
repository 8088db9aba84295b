import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { oidcClient, startOidcProvider } from '../../../../tests/worlds/oidc-provider.ts'
import { insertAccount } from '../accounts.ts'
import { createIdentify } from './identify.ts'
import { createInvitation } from '../invitations.ts'
import { addMember } from '../members.ts'
import { findSession, openSession } from '../../../features/projects/sign-in.ts'
import { sessionCookieName } from '../../../api/session-cookie.ts'

const publicUrl = 'http://127.0.0.1:4000'
let count = 0

describeOnStore('signing in by OpenID Connect', (store) => {
  /** An owner of the organization, with a session. */
  const ownerOf = (organizationId: string) =>
    store().transaction(async (tx) => {
      const email = `owner${++count}@example.com`
      const id = await insertAccount(tx, { name: 'Vic', email, passwordHash: undefined })
      await addMember(tx, organizationId, id, 'owner')
      const { secret } = await openSession(tx, id)
      const csrf = (await findSession(tx, secret))?.csrfToken ?? ''
      return { email, csrf, cookie: `docwright_4000_session=${secret}` }
    })

  it('works with an invitation or a linked login, and not otherwise', async () => {
    await using provider = await startOidcProvider()
    const world = await createDashboardWorld(store(), {
      clientAddress: () => `192.0.2.${++count % 250}`,
      identify: createIdentify({
        store: store(),
        secret: () => 'a secret of tests, which is long enough',
        publicUrl: () => publicUrl,
        sessionCookie: () => sessionCookieName(publicUrl),
        providers: {
          github: undefined,
          oidc: { issuer: provider.issuer, name: 'Acme', ...oidcClient },
        },
        reportProblem: () => undefined,
      }),
    })
    const { project, get, post } = world
    const email = `oidc${++count}@example.com`
    provider.person = { sub: `sub-${count}`, email, name: 'Olga', email_verified: true }
    const signIn = (fields: Record<string, string> = {}) => throughProvider(world, fields)
    // Nobody makes an account without an invitation.
    const stranger = await signIn()
    expect(stranger.headers.get('location')).toBe('/sign-in?error=signup_disabled')
    expect((await signIn({ link: 'x'.repeat(43) })).headers.get('location')).toMatch(/^\/sign-in\?error=/)
    expect(await countPeople(email)).toBe(0)

    const { secret } = await store().transaction((tx) =>
      createInvitation(tx, {
        organizationId: project.organizationId,
        role: 'viewer',
        note: '',
        invitedBy: 'Ada',
        days: 1,
      }),
    )
    const joined = await signIn({ link: secret })
    expect(joined.headers.get('location')).toBe('/')
    const cookie = sessionOf(joined)
    expect(await (await get('/account', cookie)).text()).toContain(email)
    expect((await get(`/projects/${project.domain}`, cookie)).status).toBe(200)
    expect(provider.exchanged.at(-1)?.get('code_verifier')).toMatch(/.{43,}/)
    const [login] = await store()
      .db.selectFrom('person_logins')
      .selectAll()
      .where('account_id', '=', provider.person.sub)
      .execute()
    expect(login).toMatchObject({ access_token: null, id_token: null, provider: 'oidc' })
    expect(sessionOf(await signIn())).not.toBe('')

    for (const fault of ['nonce', 'signature', 'audience'] as const) {
      provider.fault = fault
      const answer = await signIn()
      expect([fault, sessionOf(answer)]).toEqual([fault, ''])
    }
    provider.fault = undefined

    // Whoever has the address of somebody else at the provider does not get the account here.
    const victim = await ownerOf(project.organizationId)
    provider.person = { sub: 'sub-evil', email: victim.email, name: 'Eve', email_verified: true }
    const taken = await signIn()
    expect([sessionOf(taken), taken.headers.get('location')]).toEqual([
      '',
      '/sign-in?error=account_not_linked',
    ])
    // The victim links the login, and signs in with it from then on.
    const linked = await throughProvider(world, { csrf: victim.csrf }, '/account/logins', victim.cookie)
    expect([linked.headers.get('location'), sessionOf(linked)]).toEqual(['/account?done=linked', ''])
    expect(await (await get('/account', sessionOf(await signIn()))).text()).toContain(victim.email)
    // A state that another browser has begun is refused.
    const begun = await post('/sign-in/provider', { provider: 'oidc' }, '')
    const back = await callbackOf(begun)
    expect(sessionOf(await get(back, ''))).toBe('')
  })

  async function countPeople(email: string): Promise<number> {
    return (await store().db.selectFrom('people').select('id').where('email', '=', email).execute()).length
  }
})

/** Goes to the provider as a browser does, and comes back. */
async function throughProvider(
  { get, post }: DashboardWorld,
  fields: Record<string, string>,
  path = '/sign-in/provider',
  cookie = '',
): Promise<Response> {
  const begun = await post(path, { provider: 'oidc', ...fields }, cookie)
  expect(begun.status).toBe(200)
  const cookies = begun.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  return get(await callbackOf(begun), [cookie, ...cookies].filter((one) => one !== '').join('; '))
}

async function callbackOf(begun: Response): Promise<string> {
  const address = /content="0;url=([^"]+)"/.exec(await begun.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
  const sent = await fetch(address, { redirect: 'manual' })
  return (sent.headers.get('location') ?? '').replace(publicUrl, '')
}

function sessionOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((one) => /^docwright_4000_session=\w/.test(one))
  return cookie?.split(';')[0] ?? ''
}
