/**
 * The message about a conflict in words for people. Changes of the console have the field manager `Mozilla`, because
 * all browsers begin their names so.
 */
export function conflictWords(message: string): string {
  return message.replace(
    /conflicts? with "Mozilla"(?: using [^:]*)?/g,
    'conflict with what somebody changed in the console',
  );
}
