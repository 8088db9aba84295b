import { z } from '@hono/zod-openapi'
import { frameKinds } from '../../../../nouns/assistant/answers.ts'

const bodies = Object.entries<readonly [string, z.ZodRawShape]>(frameKinds).map(
  ([type, [meaning, fields]]) => {
    const name = type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    return z
      .object({ type: z.literal(type), ...fields })
      .openapi(`AssistantFrame${name}`, { description: meaning })
  },
)
const [first, ...others] = bodies
if (!first) throw new Error('There are no types of frames')

export const assistantFrame = z.discriminatedUnion('type', [first, ...others]).openapi('AssistantFrame', {
  description:
    'A frame of an answer, one of by its `type`: the JSON behind `data: ` of an event. The last event is `data: [DONE]`, which is not JSON.',
})
