import { z } from 'zod';
import { lazy } from '../../pkg/system/object/lazy.js';

/**
 * The schema of the body of an answer. It is made when the documentation is first read, because a server that starts
 * needs none of them.
 */
export type Answer = () => z.ZodType;

type Shape = Readonly<Record<string, z.ZodType>>;

/** An object with a name in the documentation. Members of `shape` that some answers do not have are optional. */
export function answer(id: string, description: string, shape: () => Shape): () => z.ZodObject {
  return lazy(() => z.object(shape()).meta({ id, description }));
}

export const listOf = (item: Answer): Answer => lazy(() => z.array(item()));

/** `{ result: … }`. */
export const resultOf = (result: Answer): Answer => lazy(() => z.object({ result: result() }));

/** One page of a list, whose items are the member `name`. */
export function pageWith(name: string, item: Answer): () => z.ZodObject {
  return lazy(() =>
    z.object({
      totalCount: z.int().describe('The number of items on all pages.'),
      [name]: z.array(item()),
      page: z.int().describe('The number of this page, from 1.'),
      perPage: z.int().describe('The most items of a page.'),
    }),
  );
}

const message = (): Shape => ({ message: z.string().describe('What was done, for people.') });

/** What `done` answers, with more members. */
export const doneWith = (shape: () => Shape): Answer => lazy(() => z.object({ ...message(), ...shape() }));

/** What `done` and `deleted` answer. */
export const DONE: Answer = answer('Done', 'The answer to a change.', message);

/** A list that is always empty. */
export const EMPTY: Answer = lazy(() => z.array(z.unknown()).max(0));

/** JSON whose members the server does not know, such as those of a dashboard. */
export const anyObject = (): z.ZodType => z.record(z.string(), z.unknown());

/** What the caller may do, by action. It is there if the request has `accesscontrol=true`. */
export const accessControl = (): z.ZodType =>
  z.record(z.string(), z.boolean()).optional().describe('What the caller may do; only with accesscontrol=true.');
