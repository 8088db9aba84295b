import { expect, it } from 'vitest'
import { chatApisWith } from '../../../tests/worlds/chat-apis.ts'
import { sealSecret } from '../../lib/secret-box.ts'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { slackToken, startSlack } from '../../../tests/worlds/slack-server.ts'
import { createWebhookWorld } from '../../../tests/worlds/webhook-world.ts'
import { checkTokens, listTokens } from './check-tokens.ts'
import { saveChat } from './table.ts'

describeOnBothEngines('tokens of chats', (store) => {
  it('says whether the token of each workspace works, and which scopes it lacks', async () => {
    await using slack = await startSlack()
    const { projectId, ports } = await createWebhookWorld(store())
    const { secretKey } = ports
    const connect = async (name: string, botToken: string): Promise<void> => {
      const id = `cht_${name}_${projectId}`
      const sealed = sealSecret(secretKey, id, JSON.stringify({ botToken, signingSecret: 's' }))
      const chat = { id, projectId, platform: 'slack' as const, workspace: name, bot: 'U1', name, sealed }
      await store().transaction((tx) => saveChat(tx, chat, { problem: 'Something else' }))
    }
    await connect('one', slackToken)
    await connect('two', 'xoxb-revoked')
    const problems = async (): Promise<(string | undefined)[]> => {
      await checkTokens({
        store: store(),
        secretKey,
        chatApis: chatApisWith({ slack: slack.url }),
      })
      return (await listTokens(store().db)).map(({ problem }) => problem)
    }
    expect(await problems()).toEqual([undefined, expect.stringContaining('invalid_auth')])
    slack.scopes.splice(slack.scopes.indexOf('commands'), 1)
    expect(await problems()).toEqual([
      'The token lacks scopes: commands',
      expect.stringContaining('invalid_auth'),
    ])
  })
})
