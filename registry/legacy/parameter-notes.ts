/** What the documentation says of a parameter: a sentence, or that with the values that it takes. */
export type ParameterNote =
  | string
  | {
      readonly description: string;
      readonly type?: 'integer' | 'boolean';
      /** The only values that the route knows. */
      readonly values?: readonly string[];
      /** What the route does as if it was sent. */
      readonly initial?: string | number | boolean;
    };

/** By the name of the parameter. */
export type ParameterNotes = Readonly<Record<string, ParameterNote>>;

/** A parameter that takes `true` or `false`. */
export const flag = (description: string): ParameterNote => ({ description, type: 'boolean', initial: false });

/** A parameter that is a number. */
export const number = (description: string, initial?: number): ParameterNote => ({
  description,
  type: 'integer',
  ...(initial !== undefined && { initial }),
});

/** The parameters that mean the same on all routes which have them. */
export const COMMON_NOTES: ParameterNotes = {
  page: number('The number of the page.', 1),
  perpage: number('The most items of a page.', 1000),
  limit: number('The most items of the answer.'),
  accesscontrol: flag('Whether the answer has `accessControl`: what the caller may do with the object.'),
  orgId: number('The number of the organization.'),
  namespace: 'The namespace of the organization.',
  query: 'A text that the names of the items contain, in any case.',
  userId: 'The number or the uid of the user.',
  teamId: 'The number or the uid of the team.',
};

/** The schema of a parameter in the documentation, and what is said of it. */
export function noteOf(
  name: string,
  notes: ParameterNotes,
): { readonly description?: string; readonly schema: object } {
  const note = notes[name] ?? COMMON_NOTES[name];
  if (note === undefined) return { schema: { type: 'string' } };
  if (typeof note === 'string') return { description: note, schema: { type: 'string' } };
  const { description, type = 'string', values, initial } = note;
  const schema = { type, ...(values && { enum: values }), ...(initial !== undefined && { default: initial }) };
  return { description, schema };
}
