{
 "//": "note",
 "job": {
  "j": {
   "//": "more",
   "type": "batch"
  }
 }
}
