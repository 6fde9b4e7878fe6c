job "shop" {

}
