// Replaces files of dist by other files in this process and in its child processes, if Node imports this module
// first (`--import`). Tests can therefore run on changed code while dist itself stays the same.
import { register } from 'node:module';

// PFRONT_REPLACED: an object in JSON that maps URLs of files to the paths of the files to read instead.
register('./replaceFilesHooks.mjs', import.meta.url, { data: JSON.parse(process.env.PFRONT_REPLACED) });
