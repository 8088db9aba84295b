import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { table, type Lines } from '../../cli/terminal-text.ts'
import { addVerbCommands, projectPlace, verbCommand } from '../../verbs/terminal.ts'
import { changeChatChannel, disconnectChat, listChats, type ChatWorkspace } from './verbs.ts'

export const chatCommands = [
  verbCommand(
    listChats,
    { usage: 'list', description: 'List chat workspaces', json: ({ workspaces }) => workspaces },
    ({ workspaces }) =>
      table(
        ['ID', 'PLATFORM', 'NAME', 'CHANNELS', 'LAST EVENT'],
        workspaces.map(({ id, platform, name, channels, events }) => [
          id,
          platform,
          name,
          String(channels.length),
          events[0] ? `${events[0].kind}, ${events[0].state}` : '',
        ]),
        'No workspace',
      ),
  ),
  verbCommand(
    changeChatChannel,
    { usage: 'channel <chat> <channel>', description: 'Set up a channel' },
    channelsText,
  ),
  verbCommand(
    disconnectChat,
    { usage: 'disconnect <chat>', description: 'Disconnect a workspace' },
    ({ name }) => `Disconnected ${name}`,
  ),
]

export function addChatCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program.command('chat').description('Manage chat workspaces')
  addVerbCommands(group, open, chatCommands, projectPlace('its project (default: the only one)'))
}

function channelsText({ channels }: ChatWorkspace): Lines {
  return table(
    ['CHANNEL', 'NAME', 'PROJECT', 'WHO CAN ASK', 'WHO CAN CHANGE', 'ANSWERED', 'POSTED', 'LANGUAGE'],
    channels.map(({ channel, name, project, asks, changes, answers, posts, language }) => [
      channel,
      name,
      project,
      asks,
      changes,
      answers,
      posts,
      language,
    ]),
    'No channel',
  )
}
