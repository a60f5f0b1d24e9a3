import { deleteOptions } from './delete-options.js';
import { renderObject } from './render.js';
import type { Verb } from './verb.js';

/** DELETE of one object with what lies in it: 200 with the object, which still exists if it has a deletionTimestamp. */
export const remove: Verb = async (request, target) => {
  const { value } = await target.store.delete(target.info.name, deleteOptions(request, target));
  return renderObject(request, target, 200, value);
};
