import { useLayoutEffect } from 'preact/hooks';
import { isUncovered } from '../../../lib/layers.js';
import { isTyped } from '../../../lib/typing.js';
import { report, tell } from '../../../ui/toasts.js';
import type { Dragged } from '../tree/drag.js';
import { type Desk, type Task, useDesk } from './desk.js';
import { type FolderVerb, whyNot } from './rights.js';

interface Action {
  readonly task: Task;
  readonly verb: FolderVerb;
}

/** The action on a folder or a dashboard that a key begins. */
function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, item: Dragged): Action | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'F2') return { task: shiftKey ? { kind: 'move', item } : { kind: 'edit', item }, verb: 'update' };
  return key === 'Delete' ? { task: { kind: 'delete', item }, verb: 'delete' } : undefined;
}

/**
 * Begins what a key means for a folder or a dashboard, or says why the caller may not do it, as the menu does. Returns
 * whether the key has a meaning.
 */
export function onItemKey(event: KeyboardEvent, desk: Desk, item: Dragged): boolean {
  const action = actionOf(event, item);
  if (action !== undefined) void begin(desk, action, item).catch(report);
  return action !== undefined;
}

/** Begins an action, if the caller may do it with the item, or in it. */
export async function begin({ namespace, task }: Desk, action: Action, { kind, name }: Dragged): Promise<void> {
  const refusal = await whyNot(namespace, name, action.verb, kind);
  if (refusal === undefined) task.value = action.task;
  else tell(refusal);
}

/**
 * The keys of the item that the page shows, wherever the focus is, unless something there takes them. They work as soon
 * as the menu is shown, which names them.
 */
export function useItemKeys({ kind, name, title }: Dragged): void {
  const desk = useDesk();
  useLayoutEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyped(event) || !isUncovered.peek()) return;
      if (onItemKey(event, desk, { kind, name, title })) event.preventDefault();
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  }, [desk, kind, name, title]);
}
