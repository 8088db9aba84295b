import { z } from '@hono/zod-openapi'
import { guidance } from '../../../site/guidance.ts'
import { countUpTo, truth } from './rules.ts'
import { setting, unset } from './setting.ts'

const retentionRule = 'must be a whole number of days from 0 to 36,500'
const answers = 'What shapes its answers'

/** The part of the table of settings that the assistant follows. */
export const assistantSettings = {
  assistantTokensPerDay: setting(countUpTo(1_000_000_000_000), {
    standard: unset('no limit'),
    form: 'limits',
    section: 'Daily limit',
    label: 'Assistant tokens per day',
    explain: 'When the limit is reached, the assistant returns excerpts until midnight UTC.',
    placeholder: 'no limit',
    option: '--assistant-tokens-per-day <number>',
    help: 'tokens of the assistant per day',
    meaning: 'Assistant tokens per day (UTC). Above the limit, answers are cited excerpts without a model.',
  }),
  assistantQueries: setting(z.enum(['auto', 'off'], 'must be auto or off'), {
    standard: 'auto',
    form: 'assistant',
    label: 'What it searches for first',
    choices: {
      auto: 'the question, and queries that its model writes if needed',
      off: 'the question alone',
    },
    option: '--assistant-queries <auto|off>',
    help: 'whether the assistant’s model also writes search queries',
    meaning:
      'Whether the assistant’s model also [writes search queries](/concepts/assistant#queries-that-the-model-writes) where the question’s own words aren’t enough: `auto` or `off`, which saves that short call.',
  }),
  assistantFiles: setting(truth, {
    standard: false,
    form: 'assistant',
    label: 'Send images in questions to the model (requires a vision model)',
    option: '--assistant-files',
    help: 'pass images in questions on to the assistant’s model',
    helpOff: 'don’t send images to the model',
    meaning:
      'Passes [images in questions](/guides/own-chat#send-files) on to the assistant’s model. Switch it on only if the model can look at images.',
  }),
  assistantCode: setting(truth, {
    standard: false,
    form: 'assistant',
    label: 'Search context repositories and show readers lines of their code',
    option: '--assistant-code',
    help: 'let the assistant search context repositories',
    helpOff: 'keep the code of context repositories from readers',
    meaning:
      'Lets hosted models [search the code](/concepts/assistant#search-the-code) of context repositories. Readers see file names, lines, and links to the git host.',
  }),
  assistantOnDocs: setting(truth, {
    standard: false,
    form: 'widget',
    label: 'Let readers of the public pages ask without a key',
    option: '--assistant-on-docs',
    help: 'let readers of public pages on this server ask the assistant without a key',
    helpOff: 'require a key or sign-in to ask',
    meaning:
      'Lets readers of [public pages on this server](/guides/embed-the-assistant#show-the-widget-on-this-servers-docs) ask the assistant without a key.',
  }),
  assistantInstructions: setting(guidance.shape.instructions.unwrap(), {
    standard: unset('none'),
    form: 'assistant',
    section: answers,
    typed: 'passage',
    label: 'Instructions in your own words',
    placeholder: 'Call readers by “you”. The product is written Globex.',
    rows: 6,
    option: '--assistant-instructions <text>',
    help: 'additional instructions for the assistant; @FILE reads from a file',
    meaning:
      'Instructions for the assistant’s models. See [Shape the assistant](/guides/shape-the-assistant).',
  }),
  assistantStarters: setting(guidance.shape.starters.unwrap(), {
    standard: [],
    form: 'assistant',
    section: answers,
    label: 'Starter questions',
    explain: 'One per line. With a path before it, a question is for those pages only.',
    placeholder: '/guides How do I set it up?',
    option: '--assistant-starter <question...>',
    help: 'starter questions; "/guides How …?" for some pages',
    meaning: '[Starter questions](/guides/shape-the-assistant).',
  }),
  assistantAskedStarters: setting(truth, {
    standard: true,
    form: 'assistant',
    section: answers,
    label: 'Also show questions that several readers asked',
    option: '--assistant-asked-starters',
    help: 'show questions that several readers asked as starter questions',
    helpOff: 'don’t show questions of other readers',
    meaning:
      'Shows questions that at least three readers asked and that were answered among the [starter questions](/guides/shape-the-assistant#starter-questions).',
  }),
  assistantRefuse: setting(guidance.shape.refuse.unwrap(), {
    standard: [],
    form: 'assistant',
    section: answers,
    label: 'Refused topics',
    explain: 'One per line.',
    placeholder: 'prices, discounts',
    option: '--assistant-refuse <topic...>',
    help: 'topics the assistant refuses',
    meaning: 'Topics that the assistant refuses.',
  }),
  assistantContact: setting(guidance.shape.contact.unwrap(), {
    standard: unset('none'),
    form: 'assistant',
    section: answers,
    label: 'Support contact',
    placeholder: 'Support https://example.com/help',
    option: '--assistant-contact <who>',
    help: 'support contact: help@example.com or "Support https://…"',
    meaning: 'Support contact for questions that the assistant can’t answer.',
  }),
  /** With 0 texts are never kept, and what is counted stays as long as the server keeps it. */
  retentionDays: setting(
    z
      .int(retentionRule)
      .min(0, retentionRule)
      .max(36_500, retentionRule)
      .describe(
        'Days for which conversations, feedback and searches are kept. 0: their texts are never kept, only what is counted.',
      ),
    {
      standard: unset('`DOCWRIGHT_THREAD_RETENTION_DAYS`'),
      form: 'assistant',
      label: 'Conversation retention (days)',
      explain: '0 stores no text.',
      placeholder: 'server’s setting',
      option: '--retention-days <number>',
      optionAfter: 'assistantQueries',
      help: 'days to keep conversations and searches; 0: no texts',
      meaning:
        '[How long](/guides/learn-from-readers#data-retention) conversations, feedback and searches are kept. 0 keeps no texts.',
    },
  ),
}
