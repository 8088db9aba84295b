import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { abandonAct, noteAct, withAct } from '../../store/acts.ts'
import type { Tx } from '../../store/database.ts'
import { insertOrganization } from '../../features/projects/organizations.ts'
import { findSession, openSession } from '../../features/projects/sign-in.ts'
import {
  checkPassword,
  createPasswordLink,
  deleteAccount,
  insertAccount,
  listSessions,
  readEmail,
  readName,
  redeemPasswordLink,
  removeWayIn,
  setPassword,
} from './accounts.ts'
import { eachAuditLine, listAudit } from '../audit/table.ts'
import { requireVerifiedUser } from './sign-in/identify.ts'
import { createInvitation, listInvitations, redeemInvitation, revokeInvitation } from './invitations.ts'
import { addMember, changeRole, listMembers, removeMember } from './members.ts'

let count = 0

describeOnBothEngines('people', (store) => {
  const world = async (owners = 1) => {
    const made = await store().transaction(async (tx) => {
      const { id: organizationId } = await insertOrganization(tx, 'Acme')
      const people: string[] = []
      for (let n = 0; n < owners; n++) {
        const id = await insertAccount(tx, newAccount())
        await addMember(tx, organizationId, id, 'owner')
        people.push(id)
      }
      return { organizationId, people }
    })
    const [first = '', second = ''] = made.people
    return { ...made, first, second }
  }
  const newAccount = () => ({ name: `P${++count}`, email: `p${count}@example.com`, passwordHash: undefined })

  it('keeps an owner, also when the last two leave at once', async () => {
    const { organizationId, first, second } = await world(2)
    const results = await Promise.allSettled([
      store().transaction((tx) => removeMember(tx, organizationId, first)),
      store().transaction((tx) => changeRole(tx, organizationId, second, 'viewer')),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [owner, ...others] = (await listMembers(store().db, organizationId)).filter(
      ({ role }) => role === 'owner',
    )
    expect(others).toEqual([])
    const last = owner?.id ?? ''
    for (const act of [
      () => store().transaction((tx) => removeMember(tx, organizationId, last)),
      () => store().transaction((tx) => changeRole(tx, organizationId, last, 'editor')),
      () => store().transaction((tx) => deleteAccount(tx, last)),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('takes an invitation once, by whom it is for, and says why it takes no other one', async () => {
    const { organizationId } = await world()
    const invite = (email?: string) =>
      store().transaction((tx) =>
        createInvitation(tx, { organizationId, role: 'editor', note: '', email, invitedBy: 'Ada', days: 7 }),
      )
    const accept = (secret: string, account = newAccount()) =>
      store().transaction(async (tx) => redeemInvitation(tx, secret, await insertAccount(tx, account)))
    const once = await invite()
    const results = await Promise.allSettled([accept(once.secret), accept(once.secret)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { invitation, secret } = await invite()
    const listed = async () =>
      (await listInvitations(store().db, organizationId)).map(({ state, usedBy }) => [state, usedBy])
    expect(await listed()).toEqual([
      ['open', undefined],
      ['used', expect.any(String)],
    ])
    const { organizationId: other } = await world()
    expect(await store().transaction((tx) => revokeInvitation(tx, other, invitation.id))).toBe(false)
    expect(await store().transaction((tx) => revokeInvitation(tx, organizationId, invitation.id))).toBe(true)
    await expect(accept(secret)).rejects.toThrow('revoked')
    await expect(accept(once.secret)).rejects.toThrow('was used on')
    await expect(accept('none')).rejects.toThrow('Invitation not found')
    const bound = await invite('bo@example.com')
    await expect(accept(bound.secret)).rejects.toThrow('is for bo@example.com')
    await accept(bound.secret, { ...newAccount(), email: 'bo@example.com' })
    const old = await invite()
    await store().transaction((tx) =>
      tx
        .updateTable('invitations')
        .set({ expires_at: new Date(0) })
        .where('id', '=', old.invitation.id)
        .execute(),
    )
    await expect(accept(old.secret)).rejects.toThrow('ended on 1970-01-01')
    expect((await listed()).map(([state]) => state)).toEqual(['expired', 'used', 'revoked', 'used'])
    expect((await listMembers(store().db, organizationId)).map(({ role }) => role).toSorted()).toEqual([
      'editor',
      'editor',
      'owner',
    ])
  })

  it('ends links for a new password with the role of whoever may have made them', async () => {
    for (const leave of [
      (tx: Tx, organization: string, owner: string) => changeRole(tx, organization, owner, 'editor'),
      (tx: Tx, organization: string, owner: string) => removeMember(tx, organization, owner),
      (tx: Tx, _: string, owner: string) => deleteAccount(tx, owner),
    ]) {
      const { organizationId, first, second } = await world(2)
      const link = await store().transaction((tx) => createPasswordLink(tx, first))
      await store().transaction((tx) => leave(tx, organizationId, second))
      expect(await store().transaction((tx) => redeemPasswordLink(tx, link, 'x:y'))).toBeUndefined()
    }
  })

  it('ends sessions with the account and with a new password, and roles at once', async () => {
    const { organizationId, first } = await world(2)
    const open = () => store().transaction((tx) => openSession(tx, first, { device: 'Firefox' }))
    const { secret } = await open()
    const found = await findSession(store().db, secret)
    expect([...(found?.person.roles ?? [])]).toEqual([[organizationId, 'owner']])
    await store().transaction((tx) => changeRole(tx, organizationId, first, 'viewer'))
    expect((await findSession(store().db, secret))?.person.roles.get(organizationId)).toBe('viewer')
    await store().transaction((tx) => removeMember(tx, organizationId, first))
    expect(await findSession(store().db, secret)).toMatchObject({
      organizations: [],
      organization: undefined,
    })

    const link = await store().transaction((tx) => createPasswordLink(tx, first))
    const newer = await store().transaction((tx) => createPasswordLink(tx, first))
    expect(await store().transaction((tx) => redeemPasswordLink(tx, link, 'x:y'))).toBeUndefined()
    expect(await store().transaction((tx) => redeemPasswordLink(tx, newer, 'x:y'))).toBe(first)
    expect(await store().transaction((tx) => redeemPasswordLink(tx, newer, 'x:y'))).toBeUndefined()
    expect(await listSessions(store().db, first)).toEqual([])
    // The owner who has made it could sign in to an organization that the person has joined since.
    const early = await store().transaction((tx) => createPasswordLink(tx, first))
    const { organizationId: joined } = await world()
    await store().transaction((tx) => addMember(tx, joined, first, 'viewer'))
    expect(await store().transaction((tx) => redeemPasswordLink(tx, early, 'x:y'))).toBeUndefined()
    const { secret: last } = await open()
    await store().transaction((tx) => deleteAccount(tx, first))
    expect(await findSession(store().db, last)).toBeUndefined()
  })

  it('leaves a way to sign in', async () => {
    const { first } = await world()
    const insert = (id: string) =>
      store().transaction((tx) =>
        tx
          .insertInto('person_logins')
          .values({ id, person_id: first, provider: id, account_id: id })
          .execute(),
      )
    await insert('log_a')
    await expect(
      store().transaction((tx) => removeWayIn(tx, first, 'person_logins', 'log_a')),
    ).rejects.toMatchObject({ code: 'conflict' })
    await store().transaction((tx) => setPassword(tx, first, 'x:y'))
    expect(await store().transaction((tx) => removeWayIn(tx, first, 'person_logins', 'log_b'))).toBe(false)
    expect(await store().transaction((tx) => removeWayIn(tx, first, 'person_logins', 'log_a'))).toBe(true)
  })

  it('writes what was done with the change itself, once, and nothing of what was undone', async () => {
    const { organizationId, first } = await world()
    const actor = { kind: 'person', id: first, name: 'Ada' } as const
    const rest = (): Promise<void> => store().transaction(() => Promise.resolve())
    const run = (work: () => Promise<unknown>) =>
      withAct(work, { succeeded: (result) => result !== 'refused', rest }).catch(() => undefined)
    const change = (target: string, fails = false) =>
      store().transaction(async (tx) => {
        noteAct({ target })
        await tx.updateTable('people').set({ co_author: true }).where('id', '=', first).execute()
        if (fails) throw new Error('undone')
      })
    const begin = (verb: string) => noteAct({ verb, actor, organizationId, target: undefined })
    await run(async () => {
      begin('changeAccount')
      await change('one')
      await change('again')
    })
    await run(async () => {
      begin('changeAccount')
      await change('undone', true)
    })
    await run(() => Promise.resolve(begin('mergePullRequest')))
    await run(() => Promise.resolve('refused').finally(() => begin('closePullRequest')))
    await run(() => change('not audited'))
    await run(async () => {
      begin('createJob')
      abandonAct()
      await change('for the page that says why not')
    })
    const { rows: lines } = await listAudit(store().db, { organizationId }, 10)
    expect(lines.map(({ verb, target }) => [verb, target])).toEqual([
      ['mergePullRequest', undefined],
      ['changeAccount', 'one'],
    ])
    expect((await listAudit(store().db, { organizationId: 'org_other' }, 10)).rows).toEqual([])
    expect(
      (await listAudit(store().db, { organizationId, actor: 'AD', verb: 'changeAccount' }, 10)).rows,
    ).toHaveLength(1)
    const all: string[] = []
    for await (const { verb } of eachAuditLine(store().db, { organizationId })) all.push(verb)
    expect(all).toHaveLength(2)
  })
})

it('takes a passkey only with the sign that it has checked who holds it', () => {
  const withFlags = (flags: number) => {
    const data = Buffer.alloc(37)
    data[32] = flags
    return { response: { authenticatorData: data.toString('base64url') } }
  }
  expect(() => requireVerifiedUser(withFlags(0b101))).not.toThrow()
  for (const bad of [withFlags(0b001), { response: { authenticatorData: 'AAAA' } }, { response: {} }, 'text'])
    expect(() => requireVerifiedUser(bad)).toThrow('did not check who you are')
})

it('refuses passwords that are short, plain or known, and names that would break a trailer', () => {
  const ada = { name: 'Ada Lovelace', email: 'ada.lovelace@example.com' }
  for (const bad of ['aaaaaaaaaaaa', 'abababababab', 'Ada Lovelace', 'ADA.lovelace'])
    expect(() => checkPassword(bad, ada)).toThrow('password')
  expect(() => checkPassword('correct horse battery', ada)).not.toThrow()
  expect(readName(' Ada\r\nCo-authored-by: Eve <eve@example.com> ')).toBe(
    'Ada Co-authored-by: Eve eve@example.com',
  )
  expect(readEmail(' Ada@Example.com ')).toBe('ada@example.com')
  for (const bad of ['', 'ada', 'a b@c', 'a@b\nX: y', '<a@b>', 'a@b@c'])
    expect(() => readEmail(bad)).toThrow('email address')
})
