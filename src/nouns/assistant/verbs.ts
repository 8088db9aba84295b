import { defineVerb } from '../../verbs/verb.ts'
import { tracedAnswer } from './answers.ts'
import { tracedQuestion } from './inputs.ts'

export const traceAnswer = defineVerb({
  name: 'traceAnswer',
  address: 'post /v2/insights/{projectId}/trace',
  tag: 'Insights',
  summary: 'Try a question',
  description:
    'Answers a question as a reader would get it, and shows how: the queries and who wrote them, the sections that were found with their scores and outcomes, the calls of models with their times, tokens and cost. The question is not recorded. It counts against the limits of the assistant, and what its models use is counted.',
  errors: [429],
  input: tracedQuestion,
  output: tracedAnswer,
  answer: [200, 'The answer'],
  fields: {
    question: { label: 'Question' },
    history: { label: 'Conversation' },
    model: { label: 'Model', option: '--model <provider:model>', help: 'the model that answers' },
    currentPath: { label: 'Page', option: '--page <path>', help: 'the page that the reader is on' },
    filter: { label: 'Filter' },
  },
})
