// Replaces files of dist by other files in this process and in its child processes, if Node imports this module
// first (`--import`). So tests run on changed code, and dist itself does not change.
import { register } from 'node:module';

// PFRONT_REPLACED: an object in JSON that maps URLs of files to the paths of the files to read instead.
register('./replaceFilesHooks.mjs', import.meta.url, { data: JSON.parse(process.env.PFRONT_REPLACED) });
