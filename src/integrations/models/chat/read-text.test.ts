import { describe, expect, it } from 'vitest'
import { createTextReader, readText, type Habit } from './read-text.ts'

function stream(text: string, size: number, habit: Habit = { begins: 'unknown' }) {
  const reader = createTextReader(habit)
  const all = { thought: '', said: '' }
  const add = ({ thought, said }: typeof all): void => {
    all.thought += thought
    all.said += said
  }
  for (let at = 0; at < text.length; at += size) add(reader.write(text.slice(at, at + size)))
  add(reader.end())
  return all
}

const sizes = [1, 2, 3, 7, 1000]

it.each<[string, string, string]>([
  ['<think>\nWhich?\n</think>\n\nRun it.', 'Which?', 'Run it.'],
  ['\n<thinking>Which?</thinking>Run it.', 'Which?', 'Run it.'],
  ['<seed:think>Which?</seed:think>Run it.', 'Which?', 'Run it.'],
  ['[THINK]Which?[/THINK]Run [it](/a).', 'Which?', 'Run [it](/a).'],
  ['◁think▷Which?◁/think▷Run it.', 'Which?', 'Run it.'],
  ['<|START_THINKING|>Which?<|END_THINKING|><|START_RESPONSE|>Run it.<|END_RESPONSE|>', 'Which?', 'Run it.'],
  [
    '<|channel|>analysis<|message|>Which?<|end|><|start|>assistant<|channel|>final<|message|>Run it.<|return|>',
    'Which?',
    'Run it.',
  ],
  ['<|channel|>final<|message|>Run it.', '', 'Run it.'],
  ['<|channel>thought\nWhich?<channel|>Run it.', 'Which?', 'Run it.'],
  ['analysisThe reader asks.assistantfinalRun it.', 'The reader asks.', 'Run it.'],
  ['Analysis of `x` shows this.', '', 'Analysis of `x` shows this.'],
  [
    'Okay, the user asks for `npm`.\n\nHm.\n</think>\n\nRun it.',
    'Okay, the user asks for `npm`.\n\nHm.',
    'Run it.',
  ],
  ['The user wants this.</think>Run it.', 'The user wants this.', 'Run it.'],
  ['<|im_start|>assistant\nRun it.<|im_end|>', '', 'Run it.'],
  ['<|start_header_id|>assistant<|end_header_id|>\n\nRun it.<|eot_id|>', '', 'Run it.'],
  ['Run it.<|im_end|>\n<|im_start|>user\nAnd then?<|im_end|>', '', 'Run it.\n'],
  ['Run it.</s>', '', 'Run it.'],
  ['Run it.<end_of_turn>\n', '', 'Run it.\n'],
  ['Run it.<｜end▁of▁sentence｜>', '', 'Run it.'],
  ['```sh\nnpm i\n```<|im_end|>', '', '```sh\nnpm i\n```'],
  ['Run `it`.<|im_end|>', '', 'Run `it`.'],
])('tells thoughts and control tokens from what is said: %j', (text, thought, said) => {
  for (const size of sizes) {
    const streamed = stream(text, size)
    expect({ ...streamed, thought: streamed.thought.trim() }, String(size)).toEqual({ thought, said })
  }
  expect(readText(text)).toEqual({ thought, said })
})

it.each([
  'End a turn with `<|im_end|>`, and open it with `<|im_start|>user`.',
  'A turn ends with <|im_end|>, and one of Llama with <|eot_id|> in its place.',
  '```jinja\n{{ "<|im_start|>" + role }}\n</think>\n<|im_end|>\n```\nThat is all.',
  '- Write:\n\n  ~~~\n  <|channel|>analysis<|message|>Hm<|end|>\n  ~~~\n\nDone.',
  'Thoughts stand between `<think>` and `</think>`, which some models leave out.',
  'The tags <think> and </think> mark them (or [/THINK], for Mistral).',
  'In Elm, `f <| g <| x` applies; a <b>bold</b> word, a < b, [a link](/x) and [x] stay.',
  'An ~~old~~ or <s>older</s> word. ``a ` b`` and `<|end|>`',
  'One ` stays open\n\nin its paragraph.',
  'Let me know whether it works.',
  'The user interface has two parts. See [parts](/parts).',
  'a'.repeat(5000),
])('leaves what an answer says of them: %j', (text) => {
  for (const size of sizes) expect(stream(text, size).said, String(size)).toBe(text)
  expect(readText(text)).toEqual({ thought: '', said: text })
})

describe('thoughts without a beginning', () => {
  const answer = 'Readers ask this often.\n</think>\nRun it.'

  it('are known by their end, and from then on by the habit of the model', () => {
    const habit: Habit = { begins: 'unknown' }
    expect(stream(answer, 5, habit).said).toBe('Readers ask this often.\n\nRun it.')
    expect(stream(answer, 5, habit)).toEqual({ thought: 'Readers ask this often.\n', said: 'Run it.' })
    expect(stream('Run it.', 3, habit).said).toBe('Run it.')
  })

  it('are waited for no longer once an answer came without, whatever an earlier one was about', () => {
    const habit: Habit = { begins: 'unknown' }
    stream('It ends so:\n</think>\nThat is all.', 5, habit)
    expect(createTextReader(habit).write('Run it, and then wait for the result.').said).toBe('')
    expect(stream('Run it.', 3, habit).said).toBe('Run it.')
    expect(createTextReader(habit).write('Run it, and').said).toBe('Run it, and')
  })

  it('are not waited for once a model has answered without', () => {
    const habit: Habit = { begins: 'unknown' }
    const first = (text: string): string => createTextReader(habit).write(text).said
    expect(first('Okay, run it')).toBe('')
    stream('Okay, run it.', 3, habit)
    expect(first('Okay, run it')).toBe('Okay, run it')
  })
})

it('lets text pass as it comes', () => {
  const reader = createTextReader({ begins: 'unknown' })
  expect(reader.write('Run').said).toBe('Run')
  expect(reader.write(' [the').said).toBe(' [the')
  expect(reader.write(' installer](/x) <').said).toBe(' installer](/x) ')
  expect(reader.write('b').said).toBe('')
  expect(reader.write('>').said).toBe('<b>')
})
