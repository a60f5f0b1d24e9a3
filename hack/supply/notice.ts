/**
 * Writes NOTICE: what is in the archive that others wrote, with their licences and notices. Run it after `npm run
 * build`: `npx tsx hack/supply/notice.ts`.
 */
import { writeFile } from 'node:fs/promises';
import { noticeText } from './notices.js';

await writeFile('NOTICE', await noticeText());
