import { flag, number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const FOLDER_NOTES: ParameterNotes = {
  uid: 'The uid of the folder.',
  id: number('The number of the folder.'),
  parentUid: 'The uid of the folder whose folders are listed. Without it, those at the top.',
  permission: 'With `Edit`, only folders that the caller may change.',
  forceDeleteRules: flag('Whether alert rules in the folder are deleted, too. Otherwise they keep it.'),
};
