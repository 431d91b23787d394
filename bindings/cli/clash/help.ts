// What `pfront clash --help` prints.
export const clashHelp = `pfront clash FILE [FILE ...]

Finds every pair of parts that share a point, exactly, and says what each is to the
other. The parts of all files are one scene: those of one file are held against each
other, too. Reads .glb, .gltf, .obj, .stl, .ply, and .ifc with the package web-ifc;
each also with .gz.

Classes, worst first:
  hard        the parts share room; how deep
  contained   one part lies wholly inside the other
  clearance   apart, but no more than --clearance
  coplanar    faces lie on each other, no more
  touch       the parts meet in points or lines, no more

  --clearance LENGTH   also find parts that come this near, as 25mm
  --tolerance LENGTH   what is at most this deep is no hard clash, as 1mm
  --units UNIT         mm, cm, m, in or ft: what numbers of .obj, .stl and .ply are;
                       the other formats say it themselves
  --up AXIS            y or z: what points up in the scene. glTF has y up and IFC z:
                       files that have the other are turned; default: none is
  --classes LIST       which to list, as hard,contained; default: all.
                       Others are counted
  --allow FILE         pairs that may clash, one a line: PART A, PART B.
                       A part is named by its name, type or GlobalId, * stands for
                       any characters, a tab may stand for the comma
  --fail-on LIST       exit with 1 when there is a clash of these classes that is not
                       allowed; any: when anything is listed
  --json               one JSON object on standard output
  --report FILE.html   a page that shows the parts and their clashes; it opens
                       from disk in any browser and needs nothing else
  --ifc-limits N       multiply the limits of time and memory for .ifc files, as 4
  --split components   cut every part into its connected pieces
  --max-unpack-ratio N a .gz file may unpack to 64 MiB or to N times its size,
                       whichever is more; default: 50
  --stats              work per thread, balance and memory
  --threads N          threads that compute, 1 to 256; default: all cores
  --help               this text

Lengths are written with a unit (mm, cm, m, in, ft) or in that of the files.

Exit codes: 0 done, 1 clashes that --fail-on names, 2 bad input,
3 a fault of pfront itself, 4 elements that could not be read: clashes may be
missing, whatever --fail-on says.`;
