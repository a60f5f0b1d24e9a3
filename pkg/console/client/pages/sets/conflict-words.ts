/** The field manager of changes of the console, because all browsers begin their names so. */
export const BROWSER = 'Mozilla';

const WITH_BROWSER = new RegExp(`conflicts? with "${BROWSER}"(?: using [^:]*)?`);

/** What is before and behind the words about a conflict with a change of the console. One part if there are none. */
export function conflictParts(message: string): readonly string[] {
  return message.split(WITH_BROWSER);
}

/** The message about a conflict in words for people, where it is not known who has made the change. */
export function conflictWords(message: string): string {
  return conflictParts(message).join('conflict with what somebody changed in the console');
}
